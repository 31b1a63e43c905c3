// `npm run mail:test -- ADDRESS`: sends one mail with the settings of the blog and prints the mail
// server's answer.
import { testMail } from '../backend/accounts/mails.ts'
import { makeMailTransport } from '../backend/mail/mailer.ts'
import { readConfig, readEnvironment } from '../backend/settings/config.ts'
import { SettingError } from '../backend/settings/setting-definitions.ts'
import { parseCommandLine } from './command-line.ts'

const USAGE = 'npm run mail:test -- ADDRESS    sends one mail with the settings of the blog'

async function run(to: string | undefined): Promise<string> {
  if (!to || !/^[^\s@]+@[^\s@]+$/.test(to))
    throw new SettingError('Whom to? npm run mail:test -- you@example.com')
  const config = readConfig(readEnvironment(process.env))
  const transport = makeMailTransport(config.mail, config.dataDir)
  if (!transport) throw new SettingError('Mail is switched off: BLOG_MAIL=off')
  try {
    const answer = await transport.deliver(
      testMail({ ...config, ...config.siteDefaults, logo: '' }, { to }),
    )
    return config.mail.kind === 'outbox'
      ? `No mail server is set (BLOG_SMTP_URL), so the mail is a file: ${answer} in ${config.dataDir}`
      : `The mail server took it: ${answer}`
  } finally {
    transport.close()
  }
}

const { positionals } = parseCommandLine(USAGE, { options: {}, maxPositionals: 1 })
try {
  process.stdout.write(`${await run(positionals[0])}\n`)
} catch (error) {
  process.stderr.write(
    `${error instanceof SettingError ? error.message : `The mail was not sent: ${error instanceof Error ? error.message : error}`}\n`,
  )
  process.exitCode = 1
}
