// A program with an unusual table: the slug is both the id and an attribute, there are many more
// attributes, and the cover is an address. It sends permissions, and sends whole rows back. It uses
// the calls for rows of the newest client.
import {
  Account,
  Client,
  ID,
  type Models,
  Permission,
  Query,
  Role,
  Storage,
  TablesDB,
} from 'appwrite-newest'
import { captureCookie } from '#test/support/clients.ts'
import type { Article, Draft, Program, ProgramConfig } from './program.ts'

type Row = Models.Row & {
  title: string
  slug: string
  content: string
  excerpt: string
  category: string
  tags: string[]
  coverUrl: string | null
  coverFileId: string | null
  userId: string
  authorName: string
  readTime: number
  views: number
  featured: boolean
  status: string
  publishedAt: string
}

/** What the pages share. */
function connect(config: ProgramConfig) {
  const client = new Client().setEndpoint(config.endpoint).setProject(config.projectId)
  const account = new Account(client)
  const tables = new TablesDB(client)
  const storage = new Storage(client)
  const table = { databaseId: config.databaseId, tableId: config.collectionId }
  const { bucketId } = config

  const currentUser = async () => {
    try {
      const user = await account.get()
      return { id: user.$id, name: user.name }
    } catch {
      return null
    }
  }
  const list = async (queries: string[]) => (await tables.listRows<Row>({ ...table, queries })).rows
  const bySlug = async (slug: string) =>
    (await list([Query.equal('$id', [slug]), Query.limit(1)]))[0]
  const cover = async (image: Draft['image']) => {
    if (!image) return { coverUrl: null, coverFileId: null }
    const file = await storage.createFile({
      bucketId,
      fileId: ID.unique(),
      file: new File([new Uint8Array(image.bytes)], image.name, { type: image.type }),
    })
    return {
      coverUrl: storage.getFileView({ bucketId, fileId: file.$id }),
      coverFileId: file.$id,
    }
  }
  return { client, account, tables, storage, table, bucketId, currentUser, list, bySlug, cover }
}

const NEWEST = [Query.equal('status', 'active'), Query.orderDesc('publishedAt'), Query.limit(20)]

function permissionsOf(userId: string): string[] {
  const owner = Role.user(userId)
  return [Permission.read(Role.any()), Permission.update(owner), Permission.delete(owner)]
}

export function openRowsBlog(config: ProgramConfig): Program {
  const { client, account, tables, storage, table, bucketId, ...rest } = connect(config)
  const { currentUser, list, bySlug, cover } = rest
  return {
    currentUser,
    async signUp({ name, email, password }) {
      await account.create({ userId: ID.unique(), email, password, name })
      await captureCookie(client.headers, () =>
        account.createEmailPasswordSession({ email, password }),
      )
    },
    async publish({ title, slug, markdown, image, tags = [], isDraft = false }) {
      const user = await currentUser()
      if (!user) throw new Error('Please sign in first')
      await tables.createRow({
        ...table,
        rowId: slug,
        data: {
          title,
          slug,
          content: markdown,
          excerpt: markdown.slice(0, 120),
          category: 'tech',
          tags,
          ...(await cover(image)),
          userId: user.id,
          authorName: user.name,
          readTime: Math.ceil(markdown.length / 1000),
          views: 0,
          featured: false,
          status: isDraft ? 'inactive' : 'active',
          publishedAt: new Date().toISOString(),
        },
        permissions: permissionsOf(user.id),
      })
      return slug
    },
    async read(slug) {
      const row = await bySlug(slug)
      return row ? show(row) : null
    },
    async feed() {
      return (await list(NEWEST)).map(show)
    },
    async mine() {
      const user = await currentUser()
      return (await list([Query.equal('userId', [user?.id ?? 'nobody'])])).map(show)
    },
    async edit(slug, { title, markdown, image, tags, isDraft }) {
      const row = await bySlug(slug)
      if (!row) throw new Error('There is no such post')
      if (image && row.coverFileId) await storage.deleteFile({ bucketId, fileId: row.coverFileId })
      // The whole row is sent back, including its `$` attributes.
      await tables.updateRow({
        ...table,
        rowId: row.$id,
        data: {
          ...row,
          ...(title === undefined ? {} : { title }),
          ...(markdown === undefined ? {} : { content: markdown }),
          ...(tags ? { tags } : {}),
          ...(image ? await cover(image) : {}),
          ...(isDraft === undefined ? {} : { status: isDraft ? 'inactive' : 'active' }),
        },
      })
    },
    async remove(slug) {
      const row = await bySlug(slug)
      if (!row) throw new Error('There is no such post')
      await tables.deleteRow({ ...table, rowId: row.$id })
      if (row.coverFileId) await storage.deleteFile({ bucketId, fileId: row.coverFileId })
    },
    async signOut() {
      await account.deleteSession({ sessionId: 'current' })
    },
  }
}

function show({ $id, title, content, userId, coverUrl, tags }: Row): Article {
  const post = { id: $id, title, markdown: content, authorId: userId, tags }
  return { ...post, cover: coverUrl ?? undefined }
}
