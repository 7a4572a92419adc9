# wrong_points.sh -- tables that cannot be read: each message names the row and what it needs.
try() { printf "$1" >t.csv; tarry scale --points t.csv --csv; echo "status $?"; }
try ''
try 'callpath,metric,value\na,time,1\n'
try 'callpath,p,value\na,4,1\n'
try 'callpath,metric,p,p,value\n'
try 'callpath,metric,p,value\n'
try 'callpath,metric,p,value\na,time,4,fast\n'
try 'callpath,metric,p,value\na,time,4,inf\n'
try 'callpath,metric,p,value\na,time,0,1\n'
try 'callpath,metric,p,value\na,time,1,1\n"a,time,2,1\na,time,4,1\n'
try 'callpath,metric,p,value\na,time,1e999,1\n'
try 'callpath,metric,p,n,value\na,time,1,,1\na,time,1,2,1\n'
try 'callpath,metric,a,b,c,d,e,value\nx,time,1,1,1,1,1,1\nx,time,2,2,2,2,2,1\n'
tarry scale --points missing.csv; echo "status $?"
tarry scale; echo "status $?"
tarry scale --points t.csv run; echo "status $?"
tarry scale --points t.csv --at p=-1; echo "status $?"
printf 'callpath,metric,p,value\na,time,4,1\na,time,8,1\n' >t.csv
tarry scale --points t.csv --at q=5; echo "status $?"
