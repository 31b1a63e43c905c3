// Checks what the blog depends on besides its data: S3, mail, backups, the running server, the
// proxy.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backupTime, findNewestUntil, listBackups } from '../backups/backup-folder.ts'
import { describeProblem } from '../backups/backup-io.ts'
import { listParts, readManifest } from '../backups/manifest.ts'
import { requireBucket } from '../files/s3.ts'
import { type ProxyView, proxyProbe } from '../http/health.ts'
import type { CheckedBlog, Report } from './finding.ts'

/** How long a mail server or the public address may take to answer. */
const WAIT_MS = 10_000
const BACKUP_AGE_WARNING_HOURS = 2 * 24
const BACKUP_AGE_FAULT_HOURS = 7 * 24
const HOUR_MS = 3_600_000

export async function checkS3({ s3 }: CheckedBlog) {
  if (!s3) return undefined
  await requireBucket(s3)
  return `the bucket ${s3.bucket} at ${s3.endpoint} answers`
}

/** Connects, greets the server and signs in. No mail is sent. */
export async function checkMail({ mail, isPublic }: CheckedBlog, report: Report) {
  if (mail.kind === 'off') return 'is switched off (BLOG_MAIL=off)'
  if (mail.kind === 'outbox') {
    const text = 'no mail server is set, mails are files in outbox/ of the data folder'
    if (isPublic) report.warning(`${text}: set BLOG_SMTP_URL and BLOG_MAIL_FROM`)
    return text
  }
  const { createTransport } = await import('nodemailer')
  const timeouts = { connectionTimeout: WAIT_MS, greetingTimeout: WAIT_MS, socketTimeout: WAIT_MS }
  const transport = createTransport({ url: mail.url, ...timeouts })
  const name = `the mail server ${new URL(mail.url).hostname}`
  await transport.verify().catch((error: unknown) => {
    const advice = 'check BLOG_SMTP_URL; npm run mail:test tries a whole mail'
    report.fault(`${name}: ${describeProblem(error)}: ${advice}`)
  })
  transport.close()
  return `${name} answers`
}

/** Compares sizes; `npm run backup -- --verify` compares checksums, which takes long. */
export async function checkBackups({ backups, databaseState, nowMs }: CheckedBlog, report: Report) {
  const folder = backups?.folder ?? databaseState?.backupFolder
  if (folder === undefined) {
    const advice = 'turn them on in the browser, or set BLOG_BACKUP_DIR to a folder'
    return databaseState && report.warning(`the server makes none by itself: ${advice}`)
  }
  const newest = findNewestUntil(await listBackups(folder), new Date(nowMs))
  if (newest === undefined && !backups) return `none yet in ${folder}: one is made each night`
  if (newest === undefined)
    return report.warning(`there is none in ${folder}: see the log of the server`)
  for (const part of listParts(await readManifest(join(folder, newest))))
    for (const { name, sizeBytes } of part.entries) {
      const path = join(folder, newest, part.folder, name)
      if ((await stat(path).catch(() => undefined))?.size !== sizeBytes)
        return report.fault(`${path} is not what the manifest says: npm run backup -- --verify DIR`)
    }
  const ageHours = (nowMs - backupTime(newest).getTime()) / HOUR_MS
  const text = `the newest of ${folder} is ${Math.round(ageHours)} hours old`
  if (ageHours > BACKUP_AGE_FAULT_HOURS)
    report.fault(`${text}: see the log for "backup of the night failed"`)
  else if (ageHours > BACKUP_AGE_WARNING_HOURS)
    report.warning(`${text}: does the server run at night, and does its log have errors?`)
  return text
}

// --- whether the server runs, and which client addresses it gets from the proxy in front of it

/** An address reserved for documentation. */
const INVENTED_ADDRESS = '203.0.113.77'
const HEADER_ADVICE = 'let it set the header itself (docs/operating.md)'

/** Requests the health of the server on this host. */
export async function checkServer(blog: CheckedBlog, report: Report) {
  const { host, port } = blog
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  const response = await request(`${url}/healthz`).catch(() => undefined)
  if (!response)
    return report.warning(`does not run at ${url}: start it, unless it is meant to be off`)
  blog.isRunning = true
  if (!response.ok) report.fault(`runs at ${url} and answers ${response.status}: see its log`)
  return `runs at ${url} and is well`
}

/** Sends a request with an invented client address to the public address. */
export async function checkProxy(blog: CheckedBlog, report: Report) {
  const { publicUrl, port, dataDir, isRunning } = blog
  if (!isRunning) return undefined
  const storedKey = await readFile(join(dataDir, 'api-key'), 'utf8').catch(() => '')
  const apiKey = blog.apiKey ?? storedKey.trim()
  if (apiKey === '')
    return report.warning('the API key cannot be read: run this as the user of the blog')
  const url = publicUrl + proxyProbe(apiKey, Date.now())
  const response = await request(url, { 'x-forwarded-for': INVENTED_ADDRESS }).catch(
    (error: unknown) => {
      const advice = 'check the proxy, its certificate and the name'
      report.warning(`${publicUrl} does not answer from here: ${describeProblem(error)}: ${advice}`)
    },
  )
  if (!response) return undefined
  const view = (await response.json().catch(() => ({}))) as Partial<ProxyView>
  const { peer, forwardedFor, isTrusted } = view
  const other = response.ok ? 'something else than this blog' : response.status
  if (!response.ok || peer === undefined)
    return report.fault(`${publicUrl} answers ${other}: does BLOG_PUBLIC_URL lead to this blog?`)
  const parsedUrl = new URL(publicUrl)
  // The server itself speaks plain HTTP only.
  const isDirect = parsedUrl.protocol === 'http:' && Number(parsedUrl.port || 80) === port
  if (forwardedFor === INVENTED_ADDRESS && isDirect) return `none in front of ${publicUrl}`
  if (forwardedFor === INVENTED_ADDRESS)
    return report.fault(
      `it hands on any address that visitors say in X-Forwarded-For: ${HEADER_ADVICE}`,
    )
  const shared = 'so all visitors share its address in the rate limits'
  if (forwardedFor === null)
    return report.fault(`it sends no X-Forwarded-For, ${shared}: ${HEADER_ADVICE}`)
  if (!isTrusted)
    return report.fault(`${peer} is not trusted, ${shared}: set BLOG_TRUSTED_PROXIES=${peer}`)
  return `${peer} names its visitors and is trusted`
}

function request(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(WAIT_MS) })
}
