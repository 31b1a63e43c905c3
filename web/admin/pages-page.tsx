// /admin/pages: the blog's pages, such as "About", and links to other places, in their order.
import { ArrowDown, ArrowUp, ExternalLink, Link2, Pencil, Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { BLOG_LINKS_MAX, type BlogLink, type BlogLinks } from '#contract/blog-links.ts'
import { useApi } from '../api/client.ts'
import { useSiteIdentity } from '../api/site-identity.ts'
import { useRowFocus } from '../lists/list-parts.tsx'
import { RowMenu } from '../lists/row-menu.tsx'
import { texts } from '../locales/texts.ts'
import { NEW_PAGE_PATH } from '../posts/post-paths.ts'
import { deletePost } from '../posts/posts-api.ts'
import { isElsewhere } from '../shell/blog-links.tsx'
import { Button, ButtonLink, IconButton } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import { Link } from '../ui/link.tsx'
import { useAnnounce } from '../ui/live-region.tsx'
import { MenuItem, MenuLink } from '../ui/menu.tsx'
import { Switch } from '../ui/switch.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { changeLinks, failureText, readLinks } from './admin-api.ts'
import { type AdminData, AdminPage, useAdminData } from './admin-frame.tsx'
import { type EditedLink, isHeaderFull, LinkForm } from './link-form.tsx'

const words = texts.adminPages

export function AdminPagesPage() {
  const page = useAdminData(readLinks)
  const heading = useRef<HTMLHeadingElement>(null)
  const { list: rows, focusAfter } = useRowFocus(heading)
  const { ask, dialog } = useConfirm()
  const toasts = useToasts()
  const links = useLinks(page)
  /** The link in the open form; `new` for another one. */
  const [edited, setEdited] = useState<BlogLink | 'new'>()
  const isFull = (page.value?.list.length ?? 0) >= BLOG_LINKS_MAX

  function refuseIfFull(): boolean {
    if (isFull) toasts.show({ kind: 'error', text: words.full })
    return isFull
  }
  function handleDelete(link: BlogLink) {
    const { title, page: ofPage, link: ofLink, confirm, done } = words.deleting
    ask({
      title: title(link.name),
      text: link.isPage ? ofPage : ofLink,
      confirmLabel: confirm,
      async onConfirm() {
        let reason: string | undefined
        const isDeleted = await focusAfter(link.$id, async () => {
          reason = await links.remove(link)
          return reason === undefined
        })
        if (isDeleted) toasts.show({ kind: 'ok', text: done(link.name) })
        return reason
      },
    })
  }
  return (
    <AdminPage
      title={words.title}
      lead={words.lead}
      heading={heading}
      page={page}
      action={
        <div className="row">
          <Button Icon={Link2} onClick={() => refuseIfFull() || setEdited('new')}>
            {words.link.add}
          </Button>
          <ButtonLink
            kind="primary"
            to={NEW_PAGE_PATH}
            onClick={(event) => refuseIfFull() && event.preventDefault()}
          >
            <Plus className="icon icon--small" aria-hidden="true" />
            {words.write}
          </ButtonLink>
        </div>
      }
    >
      {({ list }) => (
        <div className="blog-links">
          {list.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <ul className="box box-list lines" ref={rows}>
              {list.map((link, index) => (
                <Row
                  key={link.$id}
                  link={link}
                  moves={MOVES.filter(({ step }) => list[index + step] !== undefined)}
                  links={links}
                  onEdit={() => setEdited(link)}
                  onDelete={() => handleDelete(link)}
                />
              ))}
            </ul>
          )}
          <p className="hint">{words.rule(list.length, BLOG_LINKS_MAX)}</p>
          {dialog}
          {edited && (
            <LinkForm
              link={edited === 'new' ? undefined : edited}
              list={list}
              onSave={(link) => links.put(link, edited === 'new' ? undefined : edited)}
              onClose={() => setEdited(undefined)}
            />
          )}
        </div>
      )}
    </AdminPage>
  )
}

type ChangeList = (list: BlogLink[]) => BlogLink[]

/** Changes of the list, saved one after the other. Those of other operators are not overwritten. */
function useLinks(page: AdminData<BlogLinks>) {
  const api = useApi()
  const site = useSiteIdentity()
  const toasts = useToasts()
  const announce = useAnnounce()
  const stored = useRef(page.value)
  const lastChange = useRef<Promise<unknown>>(Promise.resolve())
  useEffect(() => {
    stored.current = page.value
  }, [page.value])

  /** @returns why it was not saved */
  async function save(change: ChangeList): Promise<string | undefined> {
    if (!stored.current) return undefined
    const { version, list } = stored.current
    const result = await changeLinks(api, version, change(list))
    if (result.ok) {
      stored.current = result.value
      flushSync(() => page.change(result.value))
      showInFrame(result.value.list)
      return undefined
    }
    const isChanged = result.failure.type === 'document_update_conflict'
    if (isChanged) await page.reload()
    return isChanged ? texts.adminRows.changedMeanwhile : failureText(result.failure)
  }
  function showInFrame(list: BlogLink[]): void {
    site.change({ links: list.filter(({ status }) => status === 'active') })
  }
  function saveInTurn(change: ChangeList): Promise<string | undefined> {
    const saving = lastChange.current.then(() => save(change))
    lastChange.current = saving
    return saving
  }
  async function saveOrSay(change: ChangeList): Promise<boolean> {
    const reason = await saveInTurn(change)
    if (reason) toasts.show({ kind: 'error', text: reason })
    return reason === undefined
  }
  return {
    async show(link: BlogLink, place: 'inHeader' | 'inFooter', isShown: boolean) {
      if (place === 'inHeader' && isShown && isHeaderFull(stored.current?.list ?? []))
        return toasts.show({ kind: 'error', text: words.headerFull })
      await saveOrSay((list) =>
        list.map((other) => (other.$id === link.$id ? { ...other, [place]: isShown } : other)),
      )
    },
    async move({ $id: id, name }: BlogLink, step: Step) {
      const list = stored.current?.list ?? []
      const newPlace = list.findIndex(({ $id }) => $id === id) + step
      if (newPlace < 0 || newPlace >= list.length) return
      const isMoved = await saveOrSay((current) => moveTo(current, id, newPlace))
      if (isMoved) announce(words.moved(name, newPlace, list.length))
      focusMoved(id, step)
    },
    /** @param before undefined for a new link @returns why it was not saved */
    put: (link: EditedLink, before: BlogLink | undefined) =>
      saveInTurn((list) => {
        const newLink = { ...link, $id: link.to, isPage: false, status: 'active' as const }
        if (!before) return [...list, newLink]
        return list.map((other) => (other.$id === before.$id ? newLink : other))
      }),
    /** @returns why it was not deleted */
    async remove(link: BlogLink): Promise<string | undefined> {
      if (!link.isPage) return saveInTurn((list) => list.filter(({ $id }) => $id !== link.$id))
      const result = await deletePost(api, link.$id)
      const latest = await page.reload()
      if (latest.ok) showInFrame(latest.value.list)
      return result.ok || result.failure.code === 404 ? undefined : failureText(result.failure)
    },
  }
}

function moveTo(list: BlogLink[], id: string, place: number): BlogLink[] {
  const link = list.find(({ $id }) => $id === id)
  const others = list.filter(({ $id }) => $id !== id)
  return link ? others.toSpliced(place, 0, link) : list
}

/** A row that moves in the document loses the focus. On narrow screens, its menu was used. */
function focusMoved(id: string, step: Step): void {
  const row = document.querySelector(`[data-row="${CSS.escape(id)}"]`)
  const buttons = row?.querySelectorAll<HTMLElement>(`[data-move="${step}"], .row-menu button`)
  const visible = [...(buttons ?? [])].find((button) => button.checkVisibility())
  visible?.focus()
}

const MOVES = [
  { step: -1, Icon: ArrowUp, name: words.moveUp, nameOf: words.moveUpNamed },
  { step: 1, Icon: ArrowDown, name: words.moveDown, nameOf: words.moveDownNamed },
] as const
type Move = (typeof MOVES)[number]
type Step = Move['step']

type RowProps = {
  link: BlogLink
  /** Those that are possible. */
  moves: Move[]
  links: ReturnType<typeof useLinks>
  onEdit: () => void
  onDelete: () => void
}

function Row({ link, moves, links, onEdit, onDelete }: RowProps) {
  const { $id, name, to, isPage, status } = link
  const isAway = isElsewhere(link)
  const address = isAway ? to.replace(/^https?:\/\//, '') : decodeURI(to)
  return (
    <li data-row={$id}>
      <div>
        <h2 dir="auto">
          {isAway ? (
            <a href={to}>
              {name}
              <ExternalLink className="icon icon--small" aria-hidden="true" />
            </a>
          ) : (
            <Link to={isPage ? `/edit-post/${$id}` : to}>{name}</Link>
          )}
        </h2>
        <p className="hint row facts">
          <span className="mono" dir="ltr">
            {address}
          </span>
          {isAway && <span>{words.elsewhere}</span>}
          {status !== 'active' && <span className="chip">{words.chips[status]}</span>}
        </p>
      </div>
      {(['inHeader', 'inFooter'] as const).map((place) => (
        <Switch
          key={place}
          label={
            <>
              {words[place]}
              <span className="visually-hidden">{words.of(name)}</span>
            </>
          }
          isOn={link[place]}
          onChange={(isOn) => void links.show(link, place, isOn)}
        />
      ))}
      <div className="row-actions">
        {MOVES.map((move) => (
          <IconButton
            key={move.step}
            className="blog-links__move"
            data-move={move.step}
            label={move.nameOf(name)}
            aria-disabled={!moves.includes(move)}
            onClick={() => void links.move(link, move.step)}
            Icon={move.Icon}
          />
        ))}
        <RowMenu label={texts.adminRows.more(name)}>
          {isPage ? (
            <MenuLink Icon={Pencil} to={`/edit-post/${$id}`}>
              {words.edit}
            </MenuLink>
          ) : (
            <MenuItem Icon={Pencil} onPress={onEdit}>
              {words.editLink}
            </MenuItem>
          )}
          <div className="blog-links__move-items" role="presentation">
            {moves.map(({ step, Icon, name: label }) => (
              <MenuItem key={step} Icon={Icon} onPress={() => void links.move(link, step)}>
                {label}
              </MenuItem>
            ))}
          </div>
          <hr />
          <MenuItem Icon={Trash2} isDanger onPress={onDelete}>
            {words.deleting.confirm}
          </MenuItem>
        </RowMenu>
      </div>
    </li>
  )
}
