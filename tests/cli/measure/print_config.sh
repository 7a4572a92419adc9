# print_config.sh -- every setting, and who set it: option before environment before file.
printf 'memory = 50M  # enough\ncompression = 6\nredact = 1\n' > tarry.conf
TARRY_COMPRESSION=3 TARRY_TRACE=1 tarry measure --memory 60M --print-config
