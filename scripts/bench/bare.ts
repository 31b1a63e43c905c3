// A bare node:http server that answers everything with the same bytes: what a machine can do at
// most, beside which a figure of the blog can be read on any machine.
import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { startServing, stopProcess, toolEnv } from '../processes.ts'

const SERVER = `const { readFileSync } = require('node:fs')
const body = readFileSync(process.env.BENCH_BODY)
const status = Number(process.env.BENCH_STATUS)
require('node:http').createServer(({ url }, answer) => {
  if (url.startsWith('/v1/health')) return answer.end()
  answer.writeHead(status, status === 304 ? {} : { 'content-type': process.env.BENCH_TYPE, 'content-length': body.length })
  answer.end(status === 304 ? undefined : body)
}).listen(Number(process.env.PORT), '127.0.0.1')`

export type Bytes = { status: number; headers: Record<string, unknown>; body: Buffer }

/** An answer as it is sent: not decompressed. */
export function readBytes(url: string, path: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<Bytes>()
  const asking = request(url + path, { headers, agent: false }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('error', reject)
    answer.on('end', () =>
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        body: Buffer.concat(chunks),
      }),
    )
  })
  asking.on('error', reject)
  asking.end()
  return promise
}

export type Bare = AsyncDisposable & { url: string; child: ChildProcess }

/** Sends these bytes until its scope is left. */
export async function startBare({ status, headers, body }: Bytes, folder: string): Promise<Bare> {
  const path = join(folder, 'bare-body')
  await writeFile(path, body)
  const env = toolEnv({
    BENCH_BODY: path,
    BENCH_STATUS: String(status),
    BENCH_TYPE: String(headers['content-type'] ?? 'text/plain'),
  })
  const bare = await startServing('bare', ['-e', SERVER], env)
  const stop = async () => void (await stopProcess(bare.child))
  return { ...bare, [Symbol.asyncDispose]: stop }
}
