// The names that programs give to the attributes of a post (api.md §3.6), and those that no
// attribute of their own may have. A name counts without regard to letter case and underscores.

/** Of the name of an attribute. */
export const ATTRIBUTE_NAME_MAX_CHARS = 36
/** Names of attributes as the hosted API allows them. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** The specified name of an attribute that every post has. */
export type PostFieldName = 'userid' | 'featuredImage' | 'status' | 'title' | 'content' | 'userName'

/** These always mean the role. */
const NAMES: Record<PostFieldName, string> = {
  userid: 'userid authorid ownerid creatorid',
  featuredImage:
    'featuredimage featuredimageid featureimage coverimage cover image featuredimg featureimg coverimg',
  status: 'status',
  // Required, so none of its names can be an attribute of their own: nothing would be the title.
  title: 'title posttitle blogtitle heading headline',
  content: 'content body postcontent blogcontent postbody',
  // Computed: what is sent is ignored, whatever it is called.
  userName: 'username',
}
/** These mean the role only where posts have no attribute of this name. */
const LOOSE_NAMES: Partial<Record<PostFieldName, string>> = {
  userid: 'author owner creator createdby postedby user accountid writer writerid uid',
  featuredImage: `coverimageid coverid imageid thumbnail thumbnailid fileid img imgid photo photoid
    picture banner bannerimage bannerid headerimage heroimage postimage blogimage`,
  status: 'poststatus state',
  content: 'text html article markdown',
}
/** Computed by the server, or read by its rules; secrets; members of every object. */
const RESERVED = new Set([
  ...`like likeid useravatar imagecolor ownimage words showntitle highlightedcontent hidden ishidden
    isauthorblocked readers permissions autosave spellings seq sequence documentid databaseid
    collectionid tableid password passwordhash hash salt secret secrethash secretkey otp token
    authtoken apikey privatekey jwt cookie session sessionid sessionsecret clientsecret
    recoverysecret accesstoken refreshtoken provideraccesstoken providerrefreshtoken codeverifier
    nonce statehash browserhash prototype proto`.split(/\s+/),
  ...Object.getOwnPropertyNames(Object.prototype).map(plainName),
])

/** The form in which names are compared. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll('_', '')
}

const BY_NAME = byName(NAMES)
const BY_LOOSE_NAME = byName(LOOSE_NAMES)

function byName(names: Partial<Record<PostFieldName, string>>): ReadonlyMap<string, PostFieldName> {
  return new Map(
    Object.entries(names).flatMap(([role, all]) =>
      all.split(/\s+/).map((name) => [name, role as PostFieldName] as const),
    ),
  )
}

/**
 * The role that a name means.
 *
 * @param options `hasOwn` when posts may have an attribute of this name
 */
export function findPostField(
  name: string,
  { hasOwn }: { hasOwn: boolean },
): PostFieldName | undefined {
  if (name.length > ATTRIBUTE_NAME_MAX_CHARS || name.startsWith('$')) return undefined
  const plain = plainName(name)
  return BY_NAME.get(plain) ?? (hasOwn ? undefined : BY_LOOSE_NAME.get(plain))
}

/** Whether an attribute that is no role may have this name. */
export function isOwnName(name: string): boolean {
  const plain = plainName(name)
  const isShort = name.length <= ATTRIBUTE_NAME_MAX_CHARS
  return isShort && NAME.test(name) && !RESERVED.has(plain) && !BY_NAME.has(plain)
}
