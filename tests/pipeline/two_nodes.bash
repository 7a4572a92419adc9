# two_nodes.bash NETWORK SECONDS -- to be sourced: two network namespaces that play the nodes of a cluster, for so many seconds. Sets
# on_first and on_second, which run a command there, and root, the environment that a remote shell starts with. Skips the test
# where that cannot be done.
network=10.213.$1 lifetime=$2
skip() { echo "$1"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "only root can make network namespaces"

# A node lives as long as its process; nothing is mounted, so nothing stays behind.
start_node() {
  unshare --net sleep "$lifetime" &
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
$on_first ip addr add $network.1/24 dev v1 && $on_second ip addr add $network.2/24 dev v2 || exit 1
$on_first ip link set v1 up && $on_first ip link set lo up || exit 1
$on_second ip link set v2 up && $on_second ip link set lo up || exit 1

root="HOME=$HOME PATH=/usr/bin:/bin OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
