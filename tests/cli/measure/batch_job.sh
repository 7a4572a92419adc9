# batch_job.sh -- %j in the name of the archive is the number of the batch job; where there is none, nothing is run.
unset SLURM_JOB_ID PBS_JOBID LSB_JOBID JOB_ID
SLURM_JOB_ID=17 tarry measure -q -o run-%j true
echo "status $?"
PBS_JOBID=18.host TARRY_ARCHIVE=run-%j tarry measure -q true
echo "status $?"
tarry measure -q -o run-%j touch ran
echo "status $?"
ls
