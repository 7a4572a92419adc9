# hostile_names.sh -- names of call paths, metrics and parameters do nothing to a terminal, a page or a file system.
printf 'callpath,metric,../../p,value\n' >t.csv
for p in 4 8 16 32; do printf '"a\033[31m<script>&""\nb",../../evil,%s,%s\n' $p $p >>t.csv; done
tarry scale --points t.csv --svg plots | cat -v
tarry scale --points t.csv --csv | cat -v
tarry scale --points t.csv --like extra-p --csv | cut -d, -f1-3 | cat -v
printf 'callpath,metric,p\177\302\233,value\n' >t.csv
for p in 4 8 16 32; do printf '\033[2J\0,\xff,%s,%s\n' $p $p >>t.csv; done
tarry scale --points t.csv --csv | cut -d, -f1,2,4 | cat -v
tarry scale --points t.csv --csv --raw | cut -d, -f1,2 | cat -v
ls plots
"$PYTHON" -c 'import xml.dom.minidom as xml; print(len(xml.parse("plots/models-______evil.svg").getElementsByTagName("circle")))'
grep -c script plots/*.svg
grep -o '&lt;script&gt;&amp;&quot;[^ ]*' plots/*.svg
