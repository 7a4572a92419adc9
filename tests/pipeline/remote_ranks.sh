# remote_ranks.sh -- ranks that a launcher starts on another node are recorded too, whatever environment it gives them.
# timeout 180
#
# Two network namespaces play the nodes; the remote shell starts with an empty environment, as ssh does.
skip() { echo "$1"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "only root can make network namespaces"

# A node lives as long as its process; nothing is mounted, so nothing stays behind.
start_node() {
  unshare --net sleep 240 &
  node=$!
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ "$(readlink /proc/$node/ns/net)" = "$(readlink /proc/self/ns/net)" ] || return 0
    kill -0 $node 2>/dev/null || break
    sleep 0.1
  done
  skip "no network namespaces here"
}
first= second=
trap 'kill $first $second 2>/dev/null' EXIT
start_node; first=$node
start_node; second=$node
ip link add v1 netns "$first" type veth peer name v2 netns "$second" || skip "no virtual Ethernet here"
on_first="nsenter --net -t $first" on_second="nsenter --net -t $second"
$on_first ip addr add 10.213.7.1/24 dev v1 && $on_second ip addr add 10.213.7.2/24 dev v2 || exit 1
$on_first ip link set v1 up && $on_first ip link set lo up || exit 1
$on_second ip link set v2 up && $on_second ip link set lo up || exit 1

root="HOME=$HOME PATH=/usr/bin:/bin OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
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
    --host 10.213.7.1:1,10.213.7.2:1 "$@" -np 2 "$PWD/app" 10 > "$name.txt" 2>&1 || { cat "$name.txt"; exit 1; }
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
