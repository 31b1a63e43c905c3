// Who the authors of an export become. In an import of one's own posts all of them become one's
// own.
import { IMPORT_PEOPLE_MAX, type ImportChoices, type ImportPerson } from '#contract/archive.ts'
import { addUnclaimedUser, findUnclaimedUser } from '../../accounts/unclaimed-users.ts'
import { findUserRow } from '../../accounts/users.ts'
import { fitCommentName } from '../../comments/imported-comments.ts'
import type { Database } from '../../database/schema.ts'
import { inTransaction } from '../../database/transaction.ts'
import { toLowerCaseEmail } from '../../mail/addresses.ts'
import type { ArchiveContext } from '../context.ts'
import type { SourcePerson } from '../sources/source.ts'
import { makeImportedId } from './import-ids.ts'
import * as store from './imports-store.ts'
import type { Staging } from './staging-store.ts'

type Item = { owner: string; source: string; runId: string }

/** The account of all authors without a name is the same for all imports. */
const UNKNOWN_SOURCE = 'unknown'
const UNKNOWN: SourcePerson = { key: 'unknown', name: '', email: '' }
const EMAILS_AT_ONCE = 500

/** The authors that have posts, with those that the export only names. */
export function listAuthors(staging: Staging): (SourcePerson & { posts: number })[] {
  const unknown = staging.listUnknownAuthors()
  const named = unknown.map(({ key, posts }) => ({ key, name: key, email: '', posts }))
  return [...staging.listPeople().filter(({ posts }) => posts > 0), ...named]
}

/** The people of the dry run: addresses of this blog are only proposals. */
export async function proposePeople(
  { db }: ArchiveContext,
  staging: Staging,
  isWholeBlog: boolean,
): Promise<ImportPerson[]> {
  if (!isWholeBlog) return []
  const authors = listAuthors(staging).slice(0, IMPORT_PEOPLE_MAX)
  const emails = authors.map(({ email }) => toLowerCaseEmail(email)).filter(Boolean)
  const verified = new Map<string, string>()
  for (let at = 0; at < emails.length; at += EMAILS_AT_ONCE)
    for (const [email, id] of await store.findVerified(db, emails.slice(at, at + EMAILS_AT_ONCE)))
      verified.set(email, id)
  const people: ImportPerson[] = []
  for (const author of authors) {
    const proposal = verified.get(toLowerCaseEmail(author.email)) ?? ''
    const isNamed = proposal === '' && author.name !== ''
    const isAmbiguous = isNamed && (await store.countNamesakes(db, author.name)) > 1
    people.push({ ...author, name: fitCommentName(author.name), proposal, isAmbiguous })
  }
  return people
}

/**
 * Makes the accounts that are chosen.
 *
 * @returns the user of each author; authors without a key are `''`
 * @throws Error when a chosen account is gone
 */
export async function makePeople(
  context: ArchiveContext,
  staging: Staging,
  item: Item,
  { ownerId, choices }: { ownerId: string | undefined; choices: Pick<ImportChoices, 'people'> },
): Promise<(authorKey: string) => Promise<string>> {
  if (ownerId !== undefined) {
    if (!(await findUserRow(context.db, ownerId))) throw new Error('The account is gone.')
    return async () => ownerId
  }
  const chosen = new Map(Object.entries(choices.people))
  const users = new Map<string, string>()
  for (const author of listAuthors(staging)) {
    const choice = chosen.get(author.key) ?? 'new'
    users.set(author.key, await makePerson(context, item, author, choice))
  }
  return async (key) => {
    const userId = users.get(key) ?? (await makePerson(context, item, UNKNOWN, 'unknown'))
    users.set(key, userId)
    return userId
  }
}

async function makePerson(
  context: ArchiveContext,
  item: Item,
  author: SourcePerson,
  choice: string,
): Promise<string> {
  const { db, background, now } = context
  if (choice !== 'new' && choice !== 'unknown') {
    if (!(await findUserRow(db, choice))) throw new Error(`The account ${choice} is gone.`)
    return choice
  }
  const isUnknown = choice === 'unknown'
  const person = isUnknown ? UNKNOWN : author
  const scope = isUnknown ? { owner: '', source: UNKNOWN_SOURCE } : item
  return await inTransaction(db, background, async (tx) => {
    const userId = await findPerson(tx, scope, person)
    if (userId !== undefined) return userId
    const id = makeImportedId(item.runId, 'person', `${scope.source} ${person.key}`)
    const { runId } = item
    const name = fitCommentName(person.name)
    await addUnclaimedUser(tx, { id, name, email: person.email, runId }, now())
    const key = {
      owner: scope.owner,
      source: scope.source,
      kind: 'person',
      key: person.key,
    } as const
    await store.deleteItem(tx, key)
    await store.insertItem(tx, { ...key, runId, targetId: id, digest: '' })
    return id
  })
}

/** The account that an earlier import has made for this person. */
async function findPerson(
  tx: Database,
  scope: Pick<Item, 'owner' | 'source'>,
  { key, email }: SourcePerson,
): Promise<string | undefined> {
  const item = (await store.findItems(tx, scope, 'person', [key])).get(key)
  const user = item && (await findUserRow(tx, item.targetId))
  return user?.id ?? (email === '' ? undefined : await findUnclaimedUser(tx, email))
}
