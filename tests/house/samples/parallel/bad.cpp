#include "analysis/study/run.h"  // breach
#include "parallel/mpi/plugin.h"

#include <mpi.h>  // breach
