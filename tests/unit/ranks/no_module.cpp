// A module that has nothing to do with MPI.
extern "C" int wave_has_no_mpi() { return 0; }
