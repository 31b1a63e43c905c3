// nginx as docs/operating.md sets it up: the site of deploy/nginx.conf with this test's ports and a
// certificate of its own. Where nginx is not installed, root installs it.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { installDebianPackages } from '#scripts/debian-packages.ts'
import { findPort, ROOT } from '#scripts/processes.ts'

export const SITE_HOST = 'blog.example'
const NGINX = '/usr/sbin/nginx'
const ASK_EVERY_MS = 20
const START_TIMEOUT_MS = 60_000

export type Answer = { status: number; headers: Record<string, string | string[]>; body: string }
export type RequestOptions = {
  method?: string
  headers?: Record<string, string>
  body?: Buffer | string
}
export type Nginx = AsyncDisposable & {
  httpPort: number
  httpsPort: number
  /** Sends a request over HTTPS to {@link SITE_HOST}. */
  ask(path: string, options?: RequestOptions): Promise<Answer>
}

export function hasNginx(): boolean {
  const isInstalled = () => spawnSync(NGINX, ['-v'], { stdio: 'ignore' }).status === 0
  return isInstalled() || (installDebianPackages('nginx-light', 'openssl') && isInstalled())
}

/** @param blogPorts the ports of the blog on this host, one per process */
export async function startNginx(...blogPorts: string[]): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-nginx-'))
  const httpPort = await findPort()
  const httpsPort = await findPort()
  const certificate = makeCertificate(folder)
  const site = await readFile(join(ROOT, 'deploy', 'nginx.conf'), 'utf8')
  await mkdir(join(folder, 'temp'))
  await writeFile(
    join(folder, 'nginx.conf'),
    aroundSite(
      folder,
      site
        .replace(/listen \[::\].*;/g, '')
        .replace('listen 80;', `listen 127.0.0.1:${httpPort};`)
        .replace('listen 443 ssl http2;', `listen 127.0.0.1:${httpsPort} ssl http2;`)
        .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate.cert};`)
        .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${certificate.key};`)
        .replace(
          'server 127.0.0.1:3000;',
          blogPorts.map((port) => `server 127.0.0.1:${port};`).join(' '),
        ),
    ),
  )
  const child = spawn(NGINX, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'pipe' })
  let output = ''
  child.stderr.on('data', (text: Buffer) => {
    output += text.toString()
  })
  await untilListening(httpsPort, () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${output}`)
  })
  return {
    httpPort,
    httpsPort,
    ask: (path, options = {}) => ask(httpsPort, path, options),
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit')
      child.kill('SIGQUIT')
      await exit
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function makeCertificate(folder: string): { cert: string; key: string } {
  const cert = join(folder, 'cert.pem')
  const key = join(folder, 'key.pem')
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync(
    'openssl',
    ['req', '-x509', ...curve, '-days', '1', '-subj', `/CN=${SITE_HOST}`, '-keyout', key].concat([
      '-out',
      cert,
    ]),
    { stdio: 'ignore' },
  )
  return { cert, key }
}

function aroundSite(folder: string, site: string): string {
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, 'temp', name)};`,
  )
  // Workers of another user could not write their buffers to this folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `${user} daemon off; pid ${join(folder, 'pid')}; error_log stderr;
events {}
http { access_log off; ${temps.join(' ')}
${site}
}`
}

async function untilListening(port: number, check: () => void): Promise<void> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS
  while (performance.now() < deadlineMs) {
    check()
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await delay(ASK_EVERY_MS)
  }
  throw new Error('nginx did not listen')
}

async function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions,
) {
  const upstream = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    servername: SITE_HOST,
    headers: { host: SITE_HOST, ...headers },
    // The certificate is self-signed.
    rejectUnauthorized: false,
  })
  upstream.end(body)
  const [answer] = (await once(upstream, 'response')) as [import('node:http').IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers as Answer['headers'],
    body: Buffer.concat(chunks).toString(),
  }
}
