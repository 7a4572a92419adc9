# usage.sh -- what 'tarry predict' answers, and what it refuses with which status.
status() { "$@"; echo "status $?"; }
tar -xJf "$TARRY_ROOT/tests/data/peer/micro.tar.xz"
tar -xJf "$TARRY_ROOT/tests/data/peer/zoo-4.tar.xz"
chain=micro/g1-late-sender-chain/traces.otf2
status tarry predict "$chain"
status tarry predict "$chain" --network ideal
status tarry predict "$chain" --network 250ms,1GB/s --cpu 2
status tarry predict "$chain" --balance
status tarry predict --balance "$chain"
status tarry predict "$chain" --rank 0=0.5 --rank 1=2 --scale-region 'c*=0.5' --whole
status tarry predict "$chain" --network ideal --like dimemas --eager-limit 1k
tarry merge -q --from otf2 "$chain" -o run
status tarry predict run --network ideal

status tarry predict zoo-4/traces.otf2 --eager-limit 0

status tarry predict
status tarry predict nothing
status tarry predict "$chain" --network
status tarry predict "$chain" --network fast
status tarry predict "$chain" --network 10us
status tarry predict "$chain" --network 10us,0GB/s
status tarry predict "$chain" --network 10us,1GB
status tarry predict "$chain" --cpu 0
status tarry predict "$chain" --rank 0
status tarry predict "$chain" --rank x=2
status tarry predict "$chain" --rank 0=-1
status tarry predict "$chain" --rank 7=2
status tarry predict "$chain" --scale-region =2
status tarry predict "$chain" --scale-region c=fast
status tarry predict "$chain" --scale-region nothing=2
status tarry predict "$chain" --balance nothing
status tarry predict "$chain" --collectives square
status tarry predict "$chain" --like dimemas
status tarry predict "$chain" --like simgrid --network ideal
status tarry predict "$chain" --eager-limit many

status tarry predict "$chain" --without-delay 1
status tarry predict "$chain" --without-delay 1=0.5 --network ideal --without-delay 2
status tarry predict "$chain" --without-delay 1 --waits
status tarry predict "$chain" --without-delay 1 -o - > report.cubex
tarry report report.cubex | sed -n 2,3p
status tarry predict "$chain" --scale-self c=0.5
status tarry predict "$chain" --rank-delays
status tarry predict --rank-delays "$chain" --csv
status tarry predict "$chain" --rank-delays 1 --json --whole
status tarry predict "$chain" --without-delay 0
status tarry predict "$chain" --without-delay 3
status tarry predict "$chain" --without-delay 1=2
status tarry predict "$chain" --rank-delays many
status tarry predict "$chain" --rank-delays --without-delay 1
status tarry predict "$chain" --rank-delays --waits
status tarry predict "$chain" --csv
