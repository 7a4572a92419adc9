/* render.c -- an image of some spheres by the ray tracer Tachyon, whose library makes the MPI calls.
 *
 * Process 0 collects the lines that others have computed and prints a sum over the image. Link with -ltachyon-openmpi or
 * -ltachyon-mpich. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tachyon.h>

enum { WIDTH = 160, HEIGHT = 120, SPHERES = 40 };

int main(int argc, char** argv) {
  static unsigned char image[WIDTH * HEIGHT * 3];
  const int node = rt_initialize(&argc, &argv);
  SceneHandle scene = rt_newscene();
  rt_outputfile(scene, "");
  rt_resolution(scene, WIDTH, HEIGHT);
  rt_verbose(scene, 0);
  rt_rawimage_rgb24(scene, image);
  rt_camera_setup(scene, 1.0, 1.0, 0, 4, rt_vector(0, 0, -6), rt_vector(0, 0, 1), rt_vector(0, 1, 0));
  apitexture surface;
  memset(&surface, 0, sizeof surface);
  surface.col = rt_color(1.0, 0.8, 0.5);
  surface.shadowcast = 1;
  surface.ambient = 0.1;
  surface.diffuse = 0.8;
  surface.specular = 0.3;
  surface.opacity = 1.0;
  void* texture = rt_texture(scene, &surface);
  rt_light(scene, rt_texture(scene, &surface), rt_vector(5, 5, -8), 0.5);
  for (int i = 0; i < SPHERES; ++i)
    rt_sphere(scene, texture, rt_vector(i % 8 * 0.8 - 2.8, i / 8 * 0.8 - 1.6, i % 3), 0.4);
  rt_renderscene(scene);
  rt_renderscene(scene);
  unsigned long sum = 0;
  for (size_t i = 0; i < sizeof image; ++i) sum = sum * 31 + image[i];
  if (node == 0) printf("image %lx\n", sum);
  rt_deletescene(scene);
  rt_finalize();
  return 0;
}
