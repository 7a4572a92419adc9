# ring.R -- Rmpi: a ring of messages and reductions.
suppressMessages(library(Rmpi))
rank <- mpi.comm.rank(0)
size <- mpi.comm.size(0)
total <- 0
for (step in 1:200) {
  to <- (rank + 1) %% size
  from <- (rank + size - 1) %% size
  got <- mpi.sendrecv(as.double(rank * 1000 + step), 2, to, step, double(1), 2, from, step, comm = 0)
  total <- total + mpi.allreduce(got, type = 2, op = "sum", comm = 0)
  x <- solve(matrix(runif(3600), 60))
}
if (rank == 0) cat("total", total, "\n")
mpi.quit()
