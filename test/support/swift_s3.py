"""Runs OpenStack Swift with its S3 front for tests: account, container, object and proxy server, one device, one S3 user.

Usage: swift_s3.py FOLDER PORT ACCESS_KEY SECRET_KEY. Takes PORT and the three after it; ends when its standard input does.
ACCESS_KEY is `account:user`. Known to nobody but swift.ts beside it.
"""
import getpass
import os
import signal
import sys
import time


class Cache:
    """What the proxy wants of a memcached."""

    def __init__(self):
        self.kept = {}

    def get(self, key, **_):
        value, until = self.kept.get(key, (None, None))
        return None if until is not None and until < clock() else value

    def set(self, key, value, time=0, **_):
        self.kept[key] = (value, clock() + time if time else None)

    def delete(self, key, **_):
        self.kept.pop(key, None)


clock = time.time


def make_cache(_settings, **_local):
    cache = Cache()

    def wrap(app):
        def call(env, start_response):
            env['swift.cache'] = cache
            return app(env, start_response)

        return call

    return wrap


COMMON = """[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
workers = 0
user = {user}
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
log_level = ERROR
"""

STORE = COMMON + """
[pipeline:main]
pipeline = {name}-server
[app:{name}-server]
use = egg:swift#{name}
"""

PROXY = COMMON + """
[pipeline:main]
pipeline = catch_errors cache s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# On a busy machine the other servers may start or answer late. By default the proxy gives up
# after half a second, and asks a server that failed ten times again only after a minute.
conn_timeout = 30
node_timeout = 60
error_suppression_limit = 1000000
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
paste.filter_factory = swift_s3:make_cache
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_{user_name} = {secret} .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
"""


def main(folder, port, access, secret):
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.dont_write_bytecode = True

    def write(name, text):
        with open(os.path.join(folder, name), 'w') as file:
            file.write(text)

    os.makedirs(os.path.join(folder, 'devices', 'd'), exist_ok=True)
    write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = lamplight\n')
    from swift.common import utils

    utils.set_swift_dir(folder)
    from swift.common.ring import RingBuilder
    from swift.common.wsgi import run_wsgi

    shared = {'folder': folder, 'user': getpass.getuser(), 'user_name': access.replace(':', '_'), 'secret': secret}
    write('proxy.conf', PROXY.format(port=port, **shared))
    for place, name in enumerate(('account', 'container', 'object'), start=1):
        write(name + '.conf', STORE.format(port=port + place, name=name, **shared))
        ring = RingBuilder(2, 1, 0)
        where = {'ip': '127.0.0.1', 'port': port + place, 'replication_ip': '127.0.0.1', 'replication_port': port + place}
        ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'device': 'd', 'weight': 1, 'meta': '', **where})
        ring.rebalance()
        ring.get_ring().save(os.path.join(folder, name + '.ring.gz'))

    children = []
    for name in ('account', 'container', 'object', 'proxy'):
        child = os.fork()
        if child == 0:
            # One of their own each, so that a server that ends its group ends only itself.
            os.setpgid(0, 0)
            os.close(0)
            sys.exit(run_wsgi(os.path.join(folder, name + '.conf'), name + '-server'))
        children.append(child)
    sys.stdin.read()
    for child in children:
        os.kill(child, signal.SIGTERM)


if __name__ == '__main__':
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4])
