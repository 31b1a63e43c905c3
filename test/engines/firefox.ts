// Firefox, driven by WebDriver BiDi over its own WebSocket.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { stopProcess } from '#scripts/processes.ts'
import { startEnv } from '../support/process.ts'
import type { Engine, Session } from './page.ts'

const START_TIMEOUT_MS = 60_000
const PREFERENCES = 'user_pref("ui.prefersReducedMotion", 1);\n'

/** A command without an answer waits until its test times out. */
type Send = <Result = unknown>(method: string, params: object) => Promise<Result>

type LogEntry = { level: string; text: string; source: { context?: string } }

/** @param program the path of Firefox */
export async function startFirefox(program: string): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-firefox-'))
  await writeFile(join(folder, 'user.js'), PREFERENCES)
  const args = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0']
  const child = spawn(program, args, {
    env: { ...startEnv(), HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = async () => {
    await stopProcess(child)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const socket = new WebSocket(`${await readAddress(child.stderr)}/session`)
    await once(socket, 'open')
    const entries: LogEntry[] = []
    const send = speak(socket, (entry) => entries.push(entry))
    await send('session.new', { capabilities: {} })
    await send('session.subscribe', { events: ['log.entryAdded'] })
    return {
      openSession: () => openSession(send, entries),
      async [Symbol.asyncDispose]() {
        socket.close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @throws Error with the output of Firefox if that does not contain its address */
async function readAddress(stderr: NodeJS.ReadableStream): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
    const address = /listening on (ws:\S+)/.exec(output)?.[1]
    if (address) resolve(address)
  })
  const fail = () => reject(new Error(`Firefox did not start:\n${output}`))
  stderr.once('end', fail)
  const timer = setTimeout(fail, START_TIMEOUT_MS)
  return await promise.finally(() => clearTimeout(timer))
}

function speak(socket: WebSocket, onLogEntry: (entry: LogEntry) => void): Send {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message.method === 'log.entryAdded') onLogEntry(message.params)
    const command = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.type === 'success') command?.resolve(message.result)
    else command?.reject(new Error(`${message.error}: ${message.message}`))
  })
  return (method, params) => {
    const id = ++lastId
    const command = Promise.withResolvers<unknown>()
    waiting.set(id, command)
    socket.send(JSON.stringify({ id, method, params }))
    return command.promise as Promise<never>
  }
}

async function openSession(send: Send, entries: LogEntry[]): Promise<Session> {
  const { userContext } = await send<{ userContext: string }>('browser.createUserContext', {})
  const opened = { type: 'tab', userContext }
  const { context } = await send<{ context: string }>('browsingContext.create', opened)
  const viewport = { width: 1280, height: 900 }
  await send('browsingContext.setViewport', { context, viewport })
  return {
    async navigate(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async call(source, args) {
      const answer = await send<{
        result: { value: string }
        exceptionDetails?: { text: string }
      }>('script.callFunction', {
        target: { context },
        functionDeclaration: `async (args) => JSON.stringify(await (${source})(...JSON.parse(args))) ?? ''`,
        arguments: [{ type: 'string', value: JSON.stringify(args) }],
        awaitPromise: true,
      })
      if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text)
      return answer.result.value === '' ? undefined : JSON.parse(answer.result.value)
    },
    async perform(sources) {
      await send('input.performActions', { context, actions: sources })
    },
    async chooseFile(selector, path) {
      const locator = { type: 'css', value: selector }
      const { nodes } = await send<{ nodes: { sharedId: string }[] }>(
        'browsingContext.locateNodes',
        { context, locator },
      )
      await send('input.setFiles', { context, element: nodes[0], files: [path] })
    },
    faults: () =>
      entries.filter(({ level }) => level === 'error' || level === 'warn').map(({ text }) => text),
    async [Symbol.asyncDispose]() {
      await send('browser.removeUserContext', { userContext })
    },
  }
}
