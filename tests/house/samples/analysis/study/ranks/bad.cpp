#include "analysis/study/run.h"  // breach
#include "analysis/study/ranks/mpi/plugin.h"

#include <mpi.h>  // breach
