// What calls answer, by the names that the description of the API gives them, and the notation of
// its tables.
import * as accounts from '#contract/accounts.ts'
import { FileModel, OwnFiles } from '#contract/files.ts'
import { SignInLink } from '#contract/operator.ts'

export type Schema = Readonly<Record<string, unknown>>

const FIELD = /^([^?:]+)(\?)?(?::(.+?))?(\[\])?$/
const RANGE = /^(-?\d*)\.\.(\d+)$/

/**
 * Reads the JSON Schema of an object from its fields, separated by white space. `?` marks those
 * that may be absent. The type, a text if absent, comes after a colon: one of JSON Schema, a model,
 * `0..9` for a whole number, `..9` for a text of at most 9 characters, `a|b` for one of these.
 * `[]` makes a list of it.
 */
export function fields(notation: string): Schema {
  const found = notation.split(/\s+/).map((one) => FIELD.exec(one) ?? [])
  return {
    type: 'object',
    properties: Object.fromEntries(
      found.map(([, name, , type = 'string', list]) => [
        name,
        list ? { type: 'array', items: typed(type) } : typed(type),
      ]),
    ),
    required: found.flatMap(([, name, optional]) => (optional ? [] : [name])),
  }
}

export function typed(type: string): Schema {
  const [, minimum, maximum] = RANGE.exec(type) ?? []
  if (minimum === '') return { type: 'string', maxLength: Number(maximum) }
  if (minimum) return { type: 'integer', minimum: Number(minimum), maximum: Number(maximum) }
  if (type === 'string|null') return { type: ['string', 'null'] }
  if (type.includes('|')) return { enum: type.split('|') }
  return /^[A-Z]/.test(type) ? { $ref: `#/components/schemas/${type}` } : { type }
}

const TIMES = '$id $createdAt $updatedAt'
const VERSION = `${TIMES} kind restoredFrom title words:integer wordsAdded:integer wordsRemoved:integer`

export const MODELS: Readonly<Record<string, object>> = {
  Account: accounts.Account,
  User: accounts.User,
  PublicUser: accounts.PublicUser,
  Session: accounts.Session,
  Token: accounts.Token,
  Identity: accounts.Identity,
  SignInLink,
  Invitation: accounts.Invitation,
  OwnInvitation: accounts.OwnInvitation,
  Log: accounts.SignInLog,
  OwnFiles,
  PersonContent: fields('posts:integer comments:integer files:integer'),
  File: FileModel,
  Error: fields('message code:integer type version'),
  Free: { type: 'object' },
  // The optional ones come where a `select` names them, or to newer clients.
  Document:
    fields(`${TIMES} publishedAt:string|null $permissions:string[] $databaseId $collectionId title content status
    featuredImage userid userId user_id authorId author_id userName username user_name like:integer likeId:string[] tags?:string[] words?:integer comments?:integer
    imageColor? userAvatar? ownImage? highlightedContent? hidden?:boolean $sequence?`),
  Report: fields('$id $createdAt postId commentId reason words state:waiting|reviewed'),
  Comment: fields(`${TIMES} $permissions:string[] $databaseId $collectionId postId parentId userId
    userName userAvatar content html? status hiddenBy hiddenAt hasLinks:boolean editedAt replies:integer
    place:integer`),
  Version: fields(VERSION),
  VersionWithText: fields(`${VERSION} content`),
  Deleted:
    fields(`${TIMES} postId title featuredImage ownImage? userid status publishedAt:string|null deletedAt
    expire`),
  Author: fields('$id $createdAt name about avatar posts:integer'),
  Around: fields('previous:Adjacent next:Adjacent others:Other[] about'),
  Adjacent: { ...fields('$id title'), type: ['object', 'null'] },
  Other: fields('$id $createdAt title featuredImage imageColor'),
  Tag: fields('tag name posts:integer'),
  Found: fields(`${TIMES} title status hidden:boolean userid userName ownImage imageColor
    titleParts:Part[] snippet:Part[]`),
  Part: fields('text isHit:boolean'),
  Reads: fields('isCounted:boolean days:Day[] posts:Free[]'),
  Day: fields('day reads:integer'),
  Health: fields('name ping:integer status total:integer statuses:Free[]'),
}
