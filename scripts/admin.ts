// `npm run admin -- COMMAND`: the operator's commands. They call the running server over HTTP with
// its API key, or read the outbox folder. Their code is in admin/.
import { type Config, readConfig, readEnvironment } from '../backend/settings/config.ts'
import { SettingError } from '../backend/settings/setting-definitions.ts'
import { invite, listInvitations, revokeInvitation } from './admin/invitations.ts'
import { listKeptMails } from './admin/mails.ts'
import { createSignInLink, deletePerson, listPeople, setBlocked, setRole } from './admin/people.ts'
import { listPosts, removePost, setHidden } from './admin/posts.ts'
import { type Call, makeServerCall } from './admin/server.ts'
import { exitWithUsage, parseCommandLine } from './command-line.ts'

const USAGE = `npm run admin -- users             list everybody
npm run admin -- block EMAIL       end all sessions, let nobody sign in, take the posts from view
npm run admin -- unblock EMAIL     undo that: the posts come back as they were
npm run admin -- role EMAIL ROLE   make somebody an operator, author or reader
npm run admin -- link EMAIL        make a link that signs the person in once, within the hour
npm run admin -- delete EMAIL      delete the account, its posts, likes and files; asks first
npm run admin -- invite EMAIL      let somebody sign up, also while registration is closed
npm run admin -- invitations       list the invitations that still work
npm run admin -- uninvite EMAIL    revoke one
npm run admin -- mails [EMAIL]     list the newest mails kept on this host, with their links
npm run admin -- posts [EMAIL]     list all posts, or those of one person, newest first
npm run admin -- hide POST         let nobody but its author read a post
npm run admin -- show POST         undo that
npm run admin -- remove POST       delete a post with its likes and its featured image
Options: --url http://localhost:3000  --key KEY  --yes (do not ask)  --from NAME (who invites)`

const OPTIONS = {
  url: { type: 'string' },
  key: { type: 'string' },
  from: { type: 'string' },
  yes: { type: 'boolean' },
} as const

type CommandContext = { call: Call; config: Config; isConfirmed: boolean; from: string | undefined }
type Command = (context: CommandContext, target: string, extra: string) => Promise<string>

/** Commands that need an argument: `target` is an email address or the id of a post. */
const COMMANDS: Readonly<Record<string, Command>> = {
  block: ({ call }, email) => setBlocked(call, email, true),
  unblock: ({ call }, email) => setBlocked(call, email, false),
  role: ({ call }, email, role) => setRole(call, email, role),
  link: ({ call }, email) => createSignInLink(call, email),
  delete: ({ call, isConfirmed }, email) => deletePerson(call, email, { isConfirmed }),
  invite: ({ call, from }, email) => invite(call, email, from),
  uninvite: ({ call }, email) => revokeInvitation(call, email),
  hide: ({ call, config }, post) => setHidden(call, config, post, true),
  show: ({ call, config }, post) => setHidden(call, config, post, false),
  remove: ({ call, config }, post) => removePost(call, config, post),
}

async function run(): Promise<string> {
  const { values, positionals } = parseCommandLine(USAGE, { options: OPTIONS, maxPositionals: 3 })
  const [command = '', target = '', extra = ''] = positionals
  const config = readConfig(readEnvironment(process.env))
  if (extra !== '' && command !== 'role') exitWithUsage(USAGE)
  if (command === 'mails') return listKeptMails(config, target || undefined)
  const call = await makeServerCall(config, { url: values.url, key: values.key })
  if (command === 'users' && !target) return listPeople(call)
  if (command === 'invitations' && !target) return listInvitations(call)
  if (command === 'posts') return listPosts(call, config, target || undefined)
  const work = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (!work || !target) exitWithUsage(USAGE)
  return work({ call, config, isConfirmed: values.yes === true, from: values.from }, target, extra)
}

try {
  process.stdout.write(`${await run()}\n`)
} catch (error) {
  if (!(error instanceof SettingError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
