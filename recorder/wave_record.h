/* Names the phases of a program in its recording (docs/recordings.md):
 *
 *   WAVE_PHASE_BEGIN("solve");
 *   ...
 *   WAVE_PHASE_END();
 *
 * A phase may be in another one. Without the library that records this does nothing: MPI_Pcontrol is there for tools
 * alone.
 */
#ifndef WAVE_RECORD_H
#define WAVE_RECORD_H

#include <mpi.h>

#define WAVE_PHASE_BEGIN(name) ((void)MPI_Pcontrol(101, (const char *)(name)))
#define WAVE_PHASE_END() ((void)MPI_Pcontrol(102))

#endif
