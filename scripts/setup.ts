// `npm run setup`: asks for the name of the blog, who may read it, and the first account, and keeps
// the settings in a file of the data folder. It may be run again at any time: an empty answer keeps
// what is there. Piped answers are taken line by line.
import { READINGS } from '#contract/site-settings.ts'
import { makeLog } from '../backend/process/log.ts'
import { makeDataFolder } from '../backend/process/secrets.ts'
import { type Config, findEnv, readConfig } from '../backend/settings/config.ts'
import { readLine } from '../backend/settings/read-settings.ts'
import { readWord, SettingError } from '../backend/settings/setting-definitions.ts'
import { changeSettingsFile } from '../backend/settings/settings-file.ts'
import {
  type FirstAccount,
  hasAccounts,
  makeFirstAccount,
  withServer,
} from './setup/first-account.ts'
import { makeQuestions, type Questions } from './setup/questions.ts'
import { changeSettings } from './setup/settings.ts'

const EMAIL = /^[^\s@]+@[^\s@]+$/

async function run(questions: Questions): Promise<string> {
  const config = readConfig(findEnv(process.env))
  await makeDataFolder(config.dataDir, makeLog('warn'))
  const siteName = await questions.ask(`Name of the blog [${config.siteName}]: `, (answer) =>
    readKeptName(answer || config.siteName),
  )
  const reading = await questions.ask(
    `Who may read the list of posts, members or everyone? [${config.reading}]: `,
    (answer) => readWord('BLOG_READING', answer.toLowerCase() || config.reading, READINGS),
  )
  const account = await withServer(config, async (call) => {
    if (await hasAccounts(call)) return 'There are accounts already: no further one was made.'
    const asked = await askAccount(questions)
    if (!asked) return 'No account was made. Whoever signs up first has no more rights than others.'
    await makeFirstAccount(call, asked)
    return `The account of ${asked.email} is there: sign in with it.`
  })
  const path = await changeSettings(config.dataDir, {
    BLOG_SITE_NAME: siteName,
    BLOG_READING: reading,
  })
  return [
    `Kept in ${path}. A running server takes it over when it is started again: npm start`,
    ...overridden(config, { siteName, reading }),
    account,
    'The operator is whoever holds the API key, in "api-key" of the data folder. Its tools: npm run admin',
  ].join('\n')
}

/** Refused at once when the file cannot hold it, before anything is changed. */
function readKeptName(text: string): string {
  const siteName = readLine('BLOG_SITE_NAME', text, 80)
  changeSettingsFile('', { BLOG_SITE_NAME: siteName })
  return siteName
}

async function askAccount(questions: Questions): Promise<FirstAccount | undefined> {
  const name = await questions.ask(
    'Your name, for the first account (empty: none): ',
    (answer) => answer,
  )
  if (!name) return undefined
  const email = await questions.ask('Your e-mail address: ', (answer) => {
    if (!EMAIL.test(answer)) throw new SettingError(`"${answer}" is not an e-mail address`)
    return answer
  })
  const password = await questions.askSecretly('A password, at least 8 characters: ', (answer) => {
    if (answer.length < 8) throw new SettingError('The password is shorter than 8 characters')
    return answer
  })
  return { name, email, password }
}

/** What the file says and the environment says otherwise. */
function overridden({ dataDir }: Config, wanted: { siteName: string; reading: string }): string[] {
  const said = [
    ['BLOG_SITE_NAME', wanted.siteName],
    ['BLOG_READING', wanted.reading],
  ] as const
  return said.flatMap(([name, value]) =>
    process.env[`${name}_FILE`] || (process.env[name] && process.env[name] !== value)
      ? [`${name} is set in the environment as well, which goes before the file in ${dataDir}`]
      : [],
  )
}

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
