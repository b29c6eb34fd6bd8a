#ifndef DPVI_BASE_RANK_CALLBACKS_H
#define DPVI_BASE_RANK_CALLBACKS_H

#include <stddef.h>
#include <stdint.h>

/* How a host program connects the ranks of a job: plain C, for hosts in any language. All ranks
   call in the same order with the same counts. A callback waits for the other ranks. It returns 0,
   or anything else if a rank was lost or the numbers could not be exchanged; the job then ends. */
typedef struct dpvi_rank_callbacks {
  void* context; /* passed to every call */
  int rank;      /* 0 to size - 1; rank 0 is the root */
  int size;
  /* Replaces the values of rank 0 by their sums over all ranks. Those of other ranks may change. */
  int (*sum)(void* context, int64_t* values, size_t count);
  /* Replaces the bytes by those of rank 0. */
  int (*broadcast)(void* context, void* bytes, size_t count);
} dpvi_rank_callbacks;

#endif
