// own_files.cpp -- writes and reads 50,000,000 bytes with the streams of C++. usage: own_files FILE
#include <mpi.h>

#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string text(99'999, 'x');
  {
    std::ofstream out(argv[1]);
    for (int i = 0; i < 500; ++i) out << text << '\n';
  }
  std::ifstream in(argv[1]);
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line);) lines += line == text;
  std::cout << lines << std::endl;
  MPI_Finalize();
}
