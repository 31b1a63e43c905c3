// `npm run setup`: asks for the name of the blog, who may read it and who runs it, like the page
// /setup. It may be run again at any time: an empty answer changes nothing. Answers may be piped
// in, one on each line.
import type { Setup } from '#contract/setup.ts'
import {
  READINGS,
  SITE_NAME_MAX_CHARS,
  type SiteValueName,
  type SiteValues,
} from '#contract/site-settings.ts'
import { makeLog } from '../backend/process/log.ts'
import { makeDataFolder } from '../backend/process/secrets.ts'
import { readConfig, readEnvironment } from '../backend/settings/config.ts'
import { readLine } from '../backend/settings/read-settings.ts'
import { readChoice, SettingError } from '../backend/settings/setting-definitions.ts'
import { parseCommandLine } from './command-line.ts'
import { makeQuestions, type Questions } from './setup/questions.ts'
import { withServer } from './setup/running-server.ts'

const USAGE = `npm run setup    asks for the name of the blog, who may read it and who runs it;
                 may be run again: an empty answer keeps what is there`
const EMAIL = /^[^\s@]+@[^\s@]+$/

async function run(questions: Questions): Promise<string> {
  const config = readConfig(readEnvironment(process.env))
  await makeDataFolder(config.dataDir, makeLog('warn'))
  return await withServer(config, async (call) => {
    const site = (await call('GET', '/site')) as SiteValues & { fixed: SiteValueName[] }
    const siteName = await questions.ask(`Name of the blog [${site.siteName}]: `, (answer) =>
      readLine('BLOG_SITE_NAME', answer || site.siteName, SITE_NAME_MAX_CHARS),
    )
    const reading = await questions.ask(
      `Who may read the list of posts, members or everyone? [${site.reading}]: `,
      (answer) => readChoice('BLOG_READING', answer.toLowerCase() || site.reading, READINGS),
    )
    const { state } = (await call('GET', '/setup')) as Setup
    const account = state === 'done' ? undefined : await askAccount(questions)
    const answers = [
      ['siteName', siteName],
      ['reading', reading],
    ] as const
    const changes = answers.filter(([name, value]) => site[name] !== value)
    const fixed = changes.filter(([name]) => site.fixed.includes(name))
    const changeable = changes.filter(([name]) => !site.fixed.includes(name))
    if (account) await call('POST', '/setup', { siteName, reading, ...account })
    else if (changeable.length > 0) await call('PATCH', '/site', Object.fromEntries(changeable))
    return [
      'A running server shows it at once.',
      ...fixed.map(([name]) => `${name} is set on the server: it can only be changed there.`),
      ...(account ? [`${account.email} is the operator of this blog: sign in with it.`] : []),
      ...(state === 'done' ? ['The blog has an operator: npm run admin shows who.'] : []),
      ...(account || state === 'done' ? [] : [`No operator was named: ${config.publicUrl}/setup`]),
    ].join('\n')
  })
}

/** @returns undefined for no account; without a name for an existing one */
async function askAccount(
  questions: Questions,
): Promise<{ name?: string; email: string; password: string } | undefined> {
  const name = await questions.ask(
    'Your name, for the account that runs the blog (empty: it exists, or nobody does yet): ',
    (answer) => answer,
  )
  const email = await questions.ask('Its email address (empty: nobody): ', (answer) => {
    if (answer !== '' && !EMAIL.test(answer))
      throw new SettingError(`"${answer}" is not an email address`)
    return answer
  })
  if (email === '') return undefined
  const password = await questions.askSecretly(
    'Its password, at least 8 characters: ',
    (answer) => {
      if (answer.length < 8) throw new SettingError('The password is shorter than 8 characters')
      return answer
    },
  )
  return { ...(name === '' ? {} : { name }), email, password }
}

parseCommandLine(USAGE, { options: {} })
const questions = makeQuestions()
try {
  process.stdout.write(`${await run(questions)}\n`)
} catch (error) {
  if (!(error instanceof SettingError)) throw error
  process.stderr.write(`${error.message}\nNothing was changed.\n`)
  process.exitCode = 1
} finally {
  questions.close()
}
