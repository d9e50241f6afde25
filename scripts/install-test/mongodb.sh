# Stands in for MongoDB's own repository where it cannot be reached: the mongod that development uses, a user, a unit and mongosh from npm.
apt-get install --yes --no-install-recommends libcurl4
cp -r /install-test/mongod /opt/mongod
chmod -R a+rX /opt/mongod
ln -s /opt/mongod/mongod /usr/bin/mongod
npm install --global --no-audit --no-fund --loglevel=error mongosh@2.12.0
adduser --system --group --no-create-home --home /var/lib/mongodb mongodb
install --directory --owner=mongodb --group=mongodb /var/lib/mongodb /var/log/mongodb
cat > /lib/systemd/system/mongod.service <<'END'
[Unit]
Description=MongoDB Database Server
After=network-online.target

[Service]
User=mongodb
Group=mongodb
ExecStart=/usr/bin/mongod --config /etc/mongod.conf
LimitFSIZE=infinity
LimitCPU=infinity
LimitAS=infinity
LimitNOFILE=64000
LimitNPROC=64000
LimitMEMLOCK=infinity
TasksMax=infinity
TasksAccounting=false

[Install]
WantedBy=multi-user.target
END
