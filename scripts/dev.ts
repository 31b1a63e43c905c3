// `npm run dev`: the server with Vite's development server inside it. The browser part reloads hot,
// the backend restarts when one of its files changes. Its data is in data/dev, seeded at the first
// start.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseCommandLine } from './command-line.ts'
import { installTestPackages } from './test-packages.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const HMR_PORT = 24_711

if (process.env.LAMPLIGHT_DEV_SERVER) await serve()
else {
  parseCommandLine('npm run dev    runs the blog with hot reload', { options: {} })
  installTestPackages()
  watch()
}

/** Runs this file again in a child process under Node's watch mode. */
function watch(): void {
  const env = {
    BLOG_DATA_DIR: join(ROOT, 'data/dev'),
    BLOG_RATE_LIMITS: 'off',
    ...process.env,
    LAMPLIGHT_DEV_SERVER: '1',
  }
  if (!existsSync(env.BLOG_DATA_DIR))
    spawnSync(process.execPath, [join(ROOT, 'scripts/seed.ts')], { env, stdio: 'inherit' })
  const watchArgs = ['backend', 'contract'].map((folder) => `--watch-path=${join(ROOT, folder)}`)
  const child = spawn(process.execPath, [...watchArgs, fileURLToPath(import.meta.url)], {
    env,
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => {
    process.exitCode = code ?? 0
  })
}

async function serve(): Promise<void> {
  const { default: middie } = await import('@fastify/middie')
  const { createServer } = await import('vite')
  const { makeApp } = await import('../backend/app.ts')
  const { readEnvironment, readConfig } = await import('../backend/settings/config.ts')
  const { makeLog } = await import('../backend/process/log.ts')
  type Pages = import('../backend/pages/context.ts').Pages
  type WebServerModule = import('../contract/pages.ts').WebServerModule

  const config = readConfig(readEnvironment(process.env))
  const vite = await createServer({
    configFile: join(ROOT, 'vite.config.ts'),
    appType: 'custom',
    server: { middlewareMode: true, hmr: { port: HMR_PORT } },
  })
  const { SERVER_TEXTS: words, describeBody } = (await vite.ssrLoadModule(
    '/server.tsx',
  )) as WebServerModule
  const pages: Pages = {
    headScript: undefined,
    textsVersion: undefined,
    words,
    describeBody,
    assetsFor: () => ({
      entry: '/main.tsx',
      css: ['/styles/app.css?direct'],
      preload: [],
      fonts: [],
    }),
    async addFiles(app) {
      await app.register(middie)
      app.use(vite.middlewares)
    },
    async render(options) {
      const { render } = (await vite.ssrLoadModule('/server.tsx')) as WebServerModule
      const page = await render(options)
      if (!page.body) return page
      // Adds Vite's scripts for hot reload before ours.
      return { ...page, body: await vite.transformIndexHtml(options.request.url, page.body) }
    },
  }
  const app = await makeApp(config, makeLog(config.logLevel), {
    now: () => new Date(),
    pages,
    onFatal: () => process.exit(1),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(
      signal,
      () => void Promise.all([vite.close(), app.close({ graceMs: 0 })]).then(() => process.exit(0)),
    )
  }
  await app.listen()
  process.stdout.write(`The blog (development) is open at ${config.publicUrl}\n`)
}
