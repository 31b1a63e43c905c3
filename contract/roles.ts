// The roles of a post's attributes, and the names that programs give them: data, no rule of who may
// write what. A name counts without regard to letter case and underscores (api.md §3.6).

/** Of the name of an attribute. */
export const ATTRIBUTE_NAME_MAX_CHARS = 36

/** The specified name of each role's attribute, and its other names. */
type Role = {
  /** Mean the role always. */
  names: readonly string[]
  /**
   * Mean the role only where the collection has no attributes of its own: programs keep other
   * things under these names, too.
   */
  looseNames: readonly string[]
}

export const ROLES = {
  userid: {
    names: ['userid', 'authorid', 'ownerid', 'creatorid'],
    looseNames: [
      ...['author', 'owner', 'creator', 'createdby', 'postedby', 'user'],
      ...['accountid', 'writer', 'writerid', 'uid'],
    ],
  },
  featuredImage: {
    names: [
      ...['featuredimage', 'featuredimageid', 'featureimage', 'coverimage', 'cover', 'image'],
      ...['featuredimg', 'featureimg', 'coverimg'],
    ],
    looseNames: [
      ...['coverimageid', 'coverid', 'imageid', 'thumbnail', 'thumbnailid', 'fileid'],
      ...['img', 'imgid', 'photo', 'photoid', 'picture', 'banner', 'bannerimage', 'bannerid'],
      ...['headerimage', 'heroimage', 'postimage', 'blogimage'],
    ],
  },
  status: { names: ['status'], looseNames: ['poststatus', 'state'] },
  // Required, so its other names are never attributes of their own: nothing would be the title.
  title: { names: ['title', 'posttitle', 'blogtitle', 'heading', 'headline'], looseNames: [] },
  content: {
    names: ['content', 'body', 'postcontent', 'blogcontent', 'postbody'],
    looseNames: ['text', 'html', 'article', 'markdown'],
  },
  // Computed: what is sent is ignored, whatever it is called.
  userName: { names: ['username'], looseNames: [] },
} as const satisfies Record<string, Role>

/** A role, by the specified name of its attribute. */
export type RoleName = keyof typeof ROLES

/** In every answer beside `userid`: the name that most programs read. */
export const AUTHOR_BESIDE = 'userId'

/** Names of attributes as the hosted API allows them. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** Computed by the server, or read by its rules; in the plain form. */
const COMPUTED = [
  ...['like', 'likeid', 'useravatar', 'imagecolor', 'ownimage', 'words', 'showntitle'],
  ...[
    'highlightedcontent',
    'hidden',
    'ishidden',
    'isauthorblocked',
    'readers',
    'permissions',
    'autosave',
    'spellings',
  ],
  ...['seq', 'sequence', 'documentid', 'databaseid', 'collectionid', 'tableid'],
]
const SECRETS = [
  ...['password', 'passwordhash', 'hash', 'salt', 'secret', 'secrethash', 'secretkey', 'otp'],
  ...['token', 'authtoken', 'apikey', 'privatekey', 'jwt', 'cookie'],
  ...[
    'session',
    'sessionid',
    'sessionsecret',
    'clientsecret',
    'recoverysecret',
    'accesstoken',
    'refreshtoken',
    'provideraccesstoken',
  ],
  ...['providerrefreshtoken', 'codeverifier', 'nonce', 'statehash', 'browserhash'],
]
const OF_PROTOTYPES = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'proto']
const RESERVED: ReadonlySet<string> = new Set([
  ...COMPUTED,
  ...SECRETS,
  ...OF_PROTOTYPES.map(plainName),
])

/** The form in which names are compared: lower case, without underscores. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll('_', '')
}

const BY_NAME = byName(({ names }) => names)
const BY_LOOSE_NAME = byName(({ looseNames }) => looseNames)

function byName(namesOf: (role: Role) => readonly string[]): ReadonlyMap<string, RoleName> {
  return new Map(
    Object.entries(ROLES).flatMap(([role, known]) =>
      namesOf(known).map((name) => [name, role as RoleName] as const),
    ),
  )
}

/**
 * The role that a name means.
 *
 * @param options `hasOwn` when the collection may have an attribute of this name
 */
export function findRole(name: string, { hasOwn }: { hasOwn: boolean }): RoleName | undefined {
  if (name.length > ATTRIBUTE_NAME_MAX_CHARS || name.startsWith('$')) return undefined
  const plain = plainName(name)
  return BY_NAME.get(plain) ?? (hasOwn ? undefined : BY_LOOSE_NAME.get(plain))
}

/** Whether an attribute that is no role may have this name. */
export function isOwnName(name: string): boolean {
  return (
    name.length <= ATTRIBUTE_NAME_MAX_CHARS &&
    NAME.test(name) &&
    !RESERVED.has(plainName(name)) &&
    !BY_NAME.has(plainName(name))
  )
}

/** `active` for a public post; a word that is not public else. */
export function ruledStatus(publicStatuses: readonly string[], word: string): string {
  if (publicStatuses.includes(word)) return 'active'
  return word === 'active' ? 'inactive' : word
}

/** The word of a post that is to be public, where nobody has said another one. */
export function publicWord(publicStatuses: readonly string[]): string {
  const [first = 'active'] = publicStatuses
  return publicStatuses.includes('active') ? 'active' : first
}
