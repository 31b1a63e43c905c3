// WebKitGTK: its MiniBrowser on a virtual screen, driven by WebKitWebDriver.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { WebKitPrograms } from '#scripts/other-browsers.ts'
import { findPort, stopProcess } from '#scripts/processes.ts'
import { startEnv } from '../support/process.ts'
import type { Engine, Session } from './page.ts'

const START_TIMEOUT_MS = 60_000
const ASK_EVERY_MS = 20
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

type Send = <Result = unknown>(method: string, path: string, body?: object) => Promise<Result>

export async function startWebKit({ driver, browser, screen }: WebKitPrograms): Promise<Engine> {
  const home = await mkdtemp(join(tmpdir(), 'lamplight-webkit-'))
  const settings = join(home, '.config', 'gtk-3.0')
  await mkdir(settings, { recursive: true })
  await writeFile(join(settings, 'settings.ini'), '[Settings]\ngtk-enable-animations=false\n')
  const children: ChildProcess[] = []
  const stop = async () => {
    for (const child of children.toReversed()) await stopProcess(child)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const screenArgs = ['-displayfd', '3', '-screen', '0', '1280x960x24', '-nolisten', 'tcp']
    const shown = spawn(screen, screenArgs, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    children.push(shown)
    const [display] = await once(shown.stdio[3] as NodeJS.ReadableStream, 'data', {
      signal: AbortSignal.timeout(START_TIMEOUT_MS),
    })
    const port = await findPort()
    const env = { ...startEnv(), HOME: home, DISPLAY: `:${String(display).trim()}` }
    children.push(spawn(driver, [`--port=${port}`], { env, stdio: 'ignore' }))
    const send = speak(`http://127.0.0.1:${port}`)
    await untilReady(send)
    return { openSession: () => openSession(send, browser), [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function speak(url: string): Send {
  return async (method, path, body) => {
    const request = body ? { method, body: JSON.stringify(body) } : { method }
    const answer = await fetch(url + path, request)
    const { value } = (await answer.json()) as { value: { error: string; message: string } }
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`)
    return value as never
  }
}

async function untilReady(send: Send): Promise<void> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS
  while (performance.now() < deadlineMs) {
    const isReady = await send('GET', '/status').then(
      () => true,
      () => false,
    )
    if (isReady) return
    await delay(ASK_EVERY_MS)
  }
  throw new Error('WebKitWebDriver did not start')
}

async function openSession(send: Send, browser: string): Promise<Session> {
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
      },
    },
  })
  const path = `/session/${sessionId}`
  await send('POST', `${path}/window/rect`, { x: 0, y: 0, width: 1280, height: 960 })
  const faults: string[] = []
  return {
    async navigate(url) {
      await send('POST', `${path}/url`, { url })
    },
    async call(source, args) {
      const script = `return (async (...args) => {
        const faults = (${collectFaults})()
        return { faults, value: await (${source})(...args) }
      })(...arguments)`
      const answer = await send<{ faults: string[]; value: unknown }>(
        'POST',
        `${path}/execute/sync`,
        { script, args },
      )
      faults.push(...answer.faults)
      return answer.value ?? undefined
    },
    async perform(sources) {
      await send('POST', `${path}/actions`, { actions: sources })
    },
    async chooseFile(selector, file) {
      const locator = { using: 'css selector', value: selector }
      const element = await send<Record<string, string>>('POST', `${path}/element`, locator)
      await send('POST', `${path}/element/${element[ELEMENT]}/value`, { text: file })
    },
    faults: () => faults,
    async [Symbol.asyncDispose]() {
      await send('DELETE', path)
    },
  }
}

/**
 * Runs in the page. Classic WebDriver does not report the console, so the page records its faults
 * from the first call on. Faults while the page is loading are not recorded.
 *
 * @returns the faults since the last call
 */
function collectFaults(): string[] {
  const view = window as typeof window & { faultsOfTest?: string[] }
  if (!view.faultsOfTest) {
    const faults: string[] = []
    view.faultsOfTest = faults
    for (const method of ['error', 'warn'] as const)
      console[method] = (...said: unknown[]) => void faults.push(said.map(String).join(' '))
    addEventListener('error', ({ message }) => void faults.push(message))
    addEventListener('unhandledrejection', ({ reason }) => void faults.push(String(reason)))
    document.addEventListener(
      'securitypolicyviolation',
      ({ violatedDirective, blockedURI }) => void faults.push(`${violatedDirective} ${blockedURI}`),
    )
  }
  return view.faultsOfTest.splice(0)
}
