// The commands about posts.
import type { Config } from '../../backend/settings/config.ts'
import type { User } from '../../contract/accounts.ts'
import type { PostDocument } from '../../contract/posts.ts'
import { findPerson } from './people.ts'
import { type Call, queryString } from './server.ts'
import { plain, toLine } from './terminal.ts'

const PAGE_POSTS = 100
const SELECTED_FIELDS = ['$id', '$createdAt', 'title', 'status', 'userid', 'userName', 'hidden']

/** Newest first. @param email of one author; undefined lists the posts by everybody */
export async function listPosts(
  call: Call,
  config: Config,
  email: string | undefined,
): Promise<string> {
  const author = email === undefined ? undefined : await findPerson(call, email)
  const users = new Map<string, Promise<User | undefined>>(
    author ? [[author.$id, Promise.resolve(author)]] : [],
  )
  const lines = ['POST\tSTATUS\tHIDDEN\tDATE\tAUTHOR\tTITLE']
  for (let last = ''; ; ) {
    const query = queryString([
      { method: 'orderDesc', attribute: '$createdAt' },
      { method: 'limit', values: [PAGE_POSTS] },
      { method: 'select', values: SELECTED_FIELDS },
      ...(author ? [{ method: 'equal', attribute: 'userid', values: [author.$id] }] : []),
      ...(last ? [{ method: 'cursorAfter', values: [last] }] : []),
    ])
    const path = `${collectionPath(config)}?total=false&${query}`
    const { documents } = (await call('GET', path)) as { documents: PostDocument[] }
    for (const post of documents) lines.push(await describe(call, post, users))
    last = documents.at(-1)?.$id ?? ''
    if (documents.length < PAGE_POSTS) return lines.join('\n')
  }
}

async function describe(
  call: Call,
  post: PostDocument,
  users: Map<string, Promise<User | undefined>>,
): Promise<string> {
  const authorPromise = users.get(post.userid) ?? findUser(call, post.userid)
  users.set(post.userid, authorPromise)
  const author = await authorPromise
  const reasons = [
    ...(post.hidden ? ['hidden'] : []),
    ...(author && !author.status ? ['author blocked'] : []),
  ].join(', ')
  return toLine([
    post.$id,
    post.status,
    reasons,
    post.$createdAt.slice(0, 10),
    author ? `${plain(author.name)} <${author.email}>` : post.userName,
    post.title,
  ])
}

/** Undefined when the account is gone. */
async function findUser(call: Call, userId: string): Promise<User | undefined> {
  const query = queryString([{ method: 'equal', attribute: '$id', values: [userId] }])
  const { users } = (await call('GET', `/users?${query}`)) as { users: User[] }
  return users[0]
}

export async function setHidden(
  call: Call,
  config: Config,
  post: string,
  isHidden: boolean,
): Promise<string> {
  const path = `${documentPath(config, post)}/hidden`
  const { title } = (await call('PATCH', path, { hidden: isHidden })) as PostDocument
  return isHidden
    ? `“${plain(title)}” is hidden: only its author still sees it.`
    : `“${plain(title)}” is shown again, as its author left it.`
}

export async function removePost(call: Call, config: Config, post: string): Promise<string> {
  const path = documentPath(config, post)
  const { title } = (await call('GET', path)) as PostDocument
  await call('DELETE', path, {})
  return `“${plain(title)}” is removed, with its likes and its featured image.`
}

function collectionPath({ databaseId, collectionId }: Config): string {
  return `/databases/${databaseId}/collections/${collectionId}/documents`
}

function documentPath(config: Config, post: string): string {
  return `${collectionPath(config)}/${encodeURIComponent(post)}`
}
