# remote_ranks.sh -- ranks that a launcher starts on another node are recorded too, whatever environment it gives them.
# timeout 180
#
# Two network namespaces play the nodes; the remote shell starts with an empty environment, as ssh does.
. "$TARRY_ROOT/tests/pipeline/two_nodes.bash" 7 240
cat > remote_shell <<SHELL
#!/bin/bash
shift
exec $on_second unshare -u sh -c 'hostname other; exec "\$@"' sh env -i $root bash -c "\$*"
SHELL
printf '#!/bin/sh\nexec env -i %s orted "$@"\n' "$root" > own_agent
chmod +x remote_shell own_agent
$MPICC -o app "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm || exit 1

# Records two ranks on two nodes with further options of mpirun.
measure() {
  name=$1
  shift
  $on_first tarry measure -s -t -o "$name" -- mpirun --mca plm_rsh_agent "$PWD/remote_shell" \
    --mca oob_tcp_if_include 10.213.7.0/24 --mca btl_tcp_if_include 10.213.7.0/24 \
    --host 10.213.7.1:1,10.213.7.2:1 --map-by node "$@" -np 2 "$PWD/app" 10 > "$name.txt" 2>&1 || { cat "$name.txt"; exit 1; }
  hosts=$(grep -c '<host ' "$name/manifest.xml")
  if [ "$hosts" -ne 2 ] || ! grep -q 'ranks="2".*complete="yes"' "$name/manifest.xml"; then
    echo "$name: not both ranks were recorded"
    cat "$name.txt" "$name/manifest.xml"
    exit 1
  fi
}

measure plain
OTHER=1 measure with_x -x OTHER
measure with_prefix --prefix /usr
measure with_agent --launch-agent "$PWD/own_agent"
OMPI_MCA_mca_base_env_list=HOME measure with_list
measure "with blank"
tarry replay -q plain || exit 1
tarry report plain | head -3
