; guide.ctl -- Meep: a pulse in a straight waveguide.
(set! geometry-lattice (make lattice (size 16 8 no-size)))
(set! geometry (list (make block (center 0 0) (size infinity 1 infinity) (material (make dielectric (epsilon 12))))))
(set! sources (list (make source (src (make gaussian-src (frequency 0.15) (fwidth 0.1))) (component Ez) (center -7 0))))
(set! pml-layers (list (make pml (thickness 1.0))))
(set! resolution 5)
(run-until 20 (at-end (lambda () (print "field " (get-field-point Ez (vector3 2 0)) "\n"))))
