#!/bin/sh
# silicon.sh -- Quantum ESPRESSO: two atoms of silicon.
mkdir pseudo
zcat /usr/share/doc/quantum-espresso/examples/EPW/sic/pp/Si.pz-vbc.UPF.gz >pseudo/Si.UPF
cat >si.in <<'INPUT'
&control
  calculation = 'scf', prefix = 'si', pseudo_dir = './pseudo', outdir = './out'
/
&system
  ibrav = 2, celldm(1) = 10.20, nat = 2, ntyp = 1, ecutwfc = 12.0
/
&electrons
  conv_thr = 1.0d-8
/
ATOMIC_SPECIES
 Si 28.086 Si.UPF
ATOMIC_POSITIONS alat
 Si 0.00 0.00 0.00
 Si 0.25 0.25 0.25
K_POINTS automatic
 2 2 2 1 1 1
INPUT
