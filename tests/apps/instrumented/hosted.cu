/* hosted.cu -- a CUDA program of which the host's side is instrumented; runs without a GPU, too.
 *
 * Visits: host_step 3. Prints "host 3".
 */
#include <cstdio>

__global__ void kernel(float* values) { values[threadIdx.x] += 1; }

static __attribute__((noinline)) int host_step(int value) { return value + 1; }

int main() {
  int value = 0;
  for (int i = 0; i < 3; ++i) value = host_step(value);
  float* values = nullptr;
  if (cudaMalloc(&values, 1024) == cudaSuccess) kernel<<<1, 32>>>(values);
  std::printf("host %d\n", value);
}
