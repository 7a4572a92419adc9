// vector_add.cu -- a program of nvcc's: adds vectors ten times, and checks the sum. Says what CUDA says if it fails.
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t outcome, const char* what) {
  if (outcome == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(outcome));
  std::exit(4);
}

__global__ void add(const float* a, const float* b, float* sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sum[i] = a[i] + b[i];
}

int main() {
  constexpr int kCount = 1 << 20;
  constexpr std::size_t kBytes = kCount * sizeof(float);
  const std::vector<float> a(kCount, 1.5f), b(kCount, 2.0f);
  std::vector<float> sum(kCount);
  float *on_a = nullptr, *on_b = nullptr, *on_sum = nullptr;
  check(cudaMalloc(&on_a, kBytes), "cudaMalloc");
  check(cudaMalloc(&on_b, kBytes), "cudaMalloc");
  check(cudaMalloc(&on_sum, kBytes), "cudaMalloc");
  check(cudaMemcpy(on_a, a.data(), kBytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  check(cudaMemcpy(on_b, b.data(), kBytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  for (int i = 0; i < 10; ++i) add<<<kCount / 256, 256>>>(on_a, on_b, on_sum, kCount);
  check(cudaGetLastError(), "add");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  check(cudaMemcpy(sum.data(), on_sum, kBytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  for (const float value : sum)
    if (value != 3.5f) return 5;
  std::puts("the sums are right");
}
