# Stands in for a clone: this very folder, as far as it is committed.
mkdir /opt/atelier
tar --extract --no-same-owner --file /install-test/project.tar --directory /opt/atelier
