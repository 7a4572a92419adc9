# slurm_cluster.bash -- sourced: a Slurm cluster of two nodes in the current folder, as ordinary processes of this test.
#
# Both nodes are this machine: slurmd knows them by name and port. They share /dev/shm, so that Open MPI must not use it.
# A test that cannot have a cluster skips itself. The daemons and all jobs end with the script, also if it is killed.
[ "$(id -u)" = 0 ] || { echo "the daemons of Slurm want root"; exit 77; }
for tool in munged slurmctld slurmd srun sbatch; do
  PATH=$PATH:/usr/sbin command -v $tool >/dev/null || { echo "$tool is not installed (make deps-long)"; exit 77; }
done
PATH=$PATH:/usr/sbin
cluster=$PWD/cluster
mkdir -p "$cluster/munge" "$cluster/state" "$cluster/n1" "$cluster/n2"
chmod 700 "$cluster/munge"
head -c 1024 /dev/urandom >"$cluster/munge/key"
chmod 400 "$cluster/munge/key"

# free_ports N: ports that nobody listens on.
free_ports() {
  python3 -c 'import socket, sys
held = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in held: one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in held))' "$1"
}
read -r control_port port1 port2 <<<"$(free_ports 3)"
host=$(hostname -s)
cat >"$cluster/slurm.conf" <<CONF
ClusterName=tarrytest
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$control_port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
CredType=cred/munge
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmdSpoolDir=$cluster/%n
StateSaveLocation=$cluster/state
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
KillWait=2
TmpFS=$cluster/%n
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$port1 CPUs=8
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$port2 CPUs=8
PartitionName=test Nodes=n1,n2 Default=YES MaxTime=60 State=UP
CONF
export SLURM_CONF=$cluster/slurm.conf OMPI_MCA_btl=tcp,self

daemons=()
end_cluster() {
  timeout 5 scancel --state=RUNNING,PENDING -u root 2>/dev/null
  for ((i = 0; i < 50; ++i)); do [ "$(timeout 5 squeue -h 2>&1)" ] || break; sleep 0.2; done
  [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null
  wait "${daemons[@]}" 2>/dev/null
}
trap end_cluster EXIT
setsid "$PYTHON" "$TARRY_ROOT/tests/pipeline/sweep_cluster.py" $$ "$cluster" </dev/null >/dev/null 2>&1 &
# start NAME COMMAND...: in the background, with its output in NAME.out.
start() {
  local name=$1
  shift
  "$@" >"$cluster/$name.out" 2>&1 &
  daemons+=($!)
}
in_munge() { echo "--$1=$cluster/munge/$2"; }
start munged munged --foreground --force "$(in_munge key-file key)" "$(in_munge socket socket)" \
  "$(in_munge pid-file pid)" "$(in_munge log-file log)" "$(in_munge seed-file seed)"
# until_works COMMAND...: waits until it succeeds; the time limit of the test ends that.
until_works() { until "$@" >/dev/null 2>&1; do sleep 0.2; done; }
until_works test -S "$cluster/munge/socket"
start slurmctld slurmctld -D -f "$SLURM_CONF"
for node in n1 n2; do start $node slurmd -D -N $node -f "$SLURM_CONF"; done
until_works srun -N 2 -n 2 true
