#include "parallel/mpi/plugin.h"
#include "analysis/study/run.h"  // breach
#include <mpi.h>  // breach
