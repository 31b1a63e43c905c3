// Answers in the form of the client that asks: what came with level 1.5 or later is in answers to
// clients that say so in X-Appwrite-Response-Format. The only place that knows which model has
// which newer fields (api.md §12); 1.4 and a missing header stay as they are.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRecord } from './params.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Of the session that this answer is about, if it has just begun. */
    newSessionToken: string | undefined
  }
}

/** `1.8` is 1.008. */
type Level = number
type Answer = Readonly<Record<string, unknown>>
type Model = {
  /** Only answers of this model have all of these fields. */
  marks: readonly string[]
  /** Fields that are added where the answer does not have them, and since which level. */
  added: Readonly<
    Record<string, readonly [since: Level, value: (answer: Answer, to: To) => unknown]>
  >
  /** Fields that answers have for newer clients alone, and how those write them. */
  newer?: Readonly<Record<string, (value: unknown, level: Level) => unknown>>
}
/** Undefined for level 1.4, to which nothing is added. */
type To = { request: FastifyRequest; reply: FastifyReply } | undefined

const LEVEL_1_5 = levelOf('1.5')
/** Texts since then, before that numbers. */
const LEVEL_OF_TEXT_SEQUENCES = levelOf('1.9')
const LEVEL_2_0 = levelOf('2.0')

/** How a session began is all that it has of factors: there is no second one. */
const FACTORS: Readonly<Record<string, readonly string[]>> = {
  email: ['password'],
  'magic-url': ['email'],
  google: ['email', 'oauth2'],
}

const MODELS: readonly Model[] = [
  {
    // First, and never looked into: a post may have attributes of any name.
    marks: ['$collectionId', '$databaseId'],
    added: {},
    newer: {
      $sequence: (value, level) => (level >= LEVEL_OF_TEXT_SEQUENCES ? String(value) : value),
    },
  },
  {
    marks: ['$id', 'providerAccessToken', 'osCode', 'current'],
    added: {
      $updatedAt: [LEVEL_1_5, ({ $createdAt }) => $createdAt],
      factors: [LEVEL_1_5, ({ provider }) => FACTORS[String(provider)] ?? ['email']],
      // For programs of the operator that sign people in; a browser has its cookie.
      secret: [
        LEVEL_1_5,
        ({ current }, to) =>
          (to?.request.viewer.role === 'key' && current === true && to.reply.newSessionToken) || '',
      ],
      mfaUpdatedAt: [LEVEL_1_5, () => ''],
    },
  },
  {
    marks: ['$id', 'emailVerification', 'prefs', 'registration'],
    added: { mfa: [LEVEL_1_5, () => false], targets: [LEVEL_1_5, () => []] },
  },
  {
    marks: ['$id', 'userId', 'secret', 'expire'],
    added: { phrase: [LEVEL_1_5, () => ''] },
  },
  {
    marks: ['$id', 'bucketId', 'signature', 'chunksTotal'],
    added: {
      encryption: [LEVEL_1_5, () => false],
      compression: [LEVEL_1_5, () => 'none'],
      folder: [LEVEL_2_0, () => ''],
      key: [LEVEL_2_0, ({ name }) => name],
      sizeActual: [LEVEL_2_0, ({ sizeOriginal }) => sizeOriginal],
    },
  },
]

/** Error types that are spelled in another way since level 1.5. */
const TYPES: Readonly<Record<string, string>> = {
  user_email_alread_verified: 'user_email_already_verified',
}

/** Preferences are whatever a program keeps in them. One call answers the account. */
function isFreeForm({ method, routeOptions: { url = '' } }: FastifyRequest): boolean {
  return url.endsWith('/prefs') && !(method === 'PATCH' && url === '/v1/account/prefs')
}

export function answerByFormat(api: FastifyInstance): void {
  api.addHook('preSerialization', (request, reply, answer, done) => {
    if (!isRecord(answer)) return done(null, answer)
    const level = levelOf(request.headers['x-appwrite-response-format'])
    if (reply.statusCode >= 400)
      return done(null, level >= LEVEL_1_5 ? withNewType(answer) : answer)
    if (isFreeForm(request)) return done(null, answer)
    done(null, inFormat(answer, level, { request, reply }))
  })
}

/** The level that a client speaks; 1.4 for what is none. */
function levelOf(header: unknown): Level {
  const [, major, minor] = /^(\d{1,3})\.(\d{1,3})(?:\.|$)/.exec(String(header)) ?? []
  return major === undefined ? levelOf('1.4') : Number(major) + Number(minor) / 1000
}

function withNewType(answer: Answer): Answer {
  const type = TYPES[String(answer.type)]
  return type === undefined ? answer : { ...answer, type }
}

/** As level 1.4 has it. */
export function answerInOldForm(answer: object): object {
  return isRecord(answer) ? inFormat(answer, levelOf('1.4'), undefined) : answer
}

/** An answer is one of a model, or a list of some. */
function inFormat(answer: Answer, level: Level, to: To): Answer {
  const model = modelOf(answer)
  if (model) return oneInFormat(model, answer, level, to)
  if (typeof answer.total !== 'number') return answer
  const lists = Object.entries(answer).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((one) => itemInFormat(one, level, to)) : value,
  ])
  return Object.fromEntries(lists)
}

function itemInFormat(item: unknown, level: Level, to: To): unknown {
  const model = isRecord(item) ? modelOf(item) : undefined
  return isRecord(item) && model ? oneInFormat(model, item, level, to) : item
}

function modelOf(answer: Answer): Model | undefined {
  return MODELS.find(({ marks }) => marks.every((mark) => Object.hasOwn(answer, mark)))
}

function oneInFormat({ added, newer = {} }: Model, answer: Answer, level: Level, to: To): Answer {
  const shown: Record<string, unknown> = { ...answer }
  for (const [name, [since, value]] of Object.entries(added))
    if (level >= since && !Object.hasOwn(answer, name)) shown[name] = value(answer, to)
  for (const [name, write] of Object.entries(newer)) {
    if (!Object.hasOwn(answer, name)) continue
    if (level >= LEVEL_1_5) shown[name] = write(answer[name], level)
    else delete shown[name]
  }
  return shown
}
