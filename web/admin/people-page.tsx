// /admin/people: everybody with an account or an invitation, and what can be done about them.
import {
  Ban,
  ChevronDown,
  Clock,
  Link as LinkIcon,
  Mail,
  MailPlus,
  Newspaper,
  RotateCcw,
  Trash2,
  UserPlus,
} from 'lucide-react'
import { useState } from 'react'
import type { OperatorPeople, OperatorPerson } from '#contract/operator.ts'
import { ACCOUNT_ROLES, type AccountRole } from '#contract/permissions.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { useApi } from '../api/client.ts'
import { LocalDate } from '../dates/dates.tsx'
import { RowMenu, RowMenuItem } from '../lists/row-menu.tsx'
import { texts } from '../locales/texts.ts'
import { AuthorAvatar } from '../posts/author-avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { useToasts } from '../ui/toasts.tsx'
import { listPeople, setBlocked, setRole } from './admin-api.ts'
import { AdminPage, useAdminData } from './admin-frame.tsx'
import { Done, ListPages, ListQuery, useRowActions } from './list-parts.tsx'
import { type Asked, nameOf, PeopleDialogs } from './people-dialogs.tsx'

const words = texts.adminPeople
const FACE_PIXELS = 44

export function AdminPeoplePage() {
  const page = useAdminData<OperatorPeople>(listPeople)
  const rows = useRowActions<OperatorPerson, OperatorPeople>(
    page,
    (one, other) => one.role === other.role && one.state === other.state,
  )
  const [asked, setAsked] = useState<Asked>()
  return (
    <AdminPage
      title={words.title}
      lead={page.value && words.lead(page.value.people)}
      heading={rows.heading}
      page={page}
      action={
        <Button kind="primary" Icon={UserPlus} onClick={() => setAsked({ about: 'invite' })}>
          {words.invite}
        </Button>
      }
    >
      {(people) => (
        <>
          <ListQuery
            label={words.search}
            placeholder={words.searchHint}
            filters={[
              { name: 'role', label: words.role, choices: words.roles },
              { name: 'state', label: words.state, choices: words.states },
            ]}
          />
          {people.list.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <ul className="box box-list lines people" ref={rows.list}>
              {people.list.map((person) => (
                <PersonRow key={person.$id} person={person} rows={rows} onAsk={setAsked} />
              ))}
            </ul>
          )}
          <ListPages of={people} />
          {asked && (
            <PeopleDialogs
              asked={asked}
              rows={rows}
              onAsk={setAsked}
              onInvited={() => void page.reload()}
            />
          )}
        </>
      )}
    </AdminPage>
  )
}

type PersonRowProps = {
  person: OperatorPerson
  rows: ReturnType<typeof useRowActions<OperatorPerson, OperatorPeople>>
  onAsk: (asked: Asked) => void
}

function PersonRow({ person, rows, onAsk }: PersonRowProps) {
  const isInvited = person.state === 'invited'
  const isOwn = useViewer().userData?.$id === person.$id
  return (
    <li data-row={person.$id}>
      {isInvited ? (
        <span className="avatar people__invited">
          <Mail className="icon" aria-hidden="true" />
        </span>
      ) : (
        <AuthorAvatar name={nameOf(person)} avatarId={person.avatar} sidePixels={FACE_PIXELS} />
      )}
      <div>
        <h2>
          <bdi>{nameOf(person)}</bdi> {isOwn && <span className="quiet">{words.you}</span>}
        </h2>
        <Facts person={person} />
      </div>
      {isInvited ? (
        <span className="people__role">{texts.adminRoles[person.role]}</span>
      ) : (
        <RoleSelect person={person} isOwn={isOwn} rows={rows} onAsk={onAsk} />
      )}
      <PersonMenu person={person} isOwn={isOwn} rows={rows} onAsk={onAsk} />
    </li>
  )
}

function Facts({ person }: { person: OperatorPerson }) {
  const { name, email, state, emailVerification, registration, accessedAt, posts } = person
  if (state === 'invited')
    return (
      <p className="row facts">
        <span className="chip chip--icon chip--time">
          <Clock className="icon icon--small" aria-hidden="true" />
          {words.invited}
        </span>
        {person.done && <Done done={person.done} />}
        {person.expire && <span>{words.worksUntil(<LocalDate time={person.expire} />)}</span>}
      </p>
    )
  return (
    <p className="row facts">
      {name && <bdi>{email}</bdi>}
      {state === 'blocked' && (
        <span className="chip chip--icon">
          <Ban className="icon icon--small" aria-hidden="true" />
          {words.blocked}
        </span>
      )}
      {state === 'blocked' && person.done && <Done done={person.done} />}
      {state === 'active' && !emailVerification && (
        <span className="chip chip--icon chip--warn">
          <Mail className="icon icon--small" aria-hidden="true" />
          {words.notVerified}
        </span>
      )}
      <span>
        {accessedAt === ''
          ? words.joined(<LocalDate time={registration} />)
          : words.lastSeen(<LocalDate time={accessedAt} />)}
      </span>
      <span>{words.posts(posts)}</span>
    </p>
  )
}

type AboutPersonProps = PersonRowProps & { isOwn: boolean }

/** Kept at once, with a way back; what gives or takes away these pages is asked first. */
function RoleSelect({ person, isOwn, rows, onAsk }: AboutPersonProps) {
  const api = useApi()
  const toasts = useToasts()
  async function handleChoose(role: AccountRole) {
    if (role === 'operator' || isOwn) return onAsk({ about: 'role', person, role })
    if (!(await rows.tryChange(person, () => setRole(api, person.$id, role)))) return
    const onPress = () => void rows.undo(() => setRole(api, person.$id, person.role))
    const text = words.roleSet(nameOf(person), role)
    toasts.show({ kind: 'ok', text, action: { label: texts.adminRows.undo, onPress } })
  }
  return (
    <span className="select people__role">
      <select
        className="input"
        aria-label={words.roleOf(nameOf(person))}
        value={person.role}
        onChange={({ currentTarget }) => void handleChoose(currentTarget.value as AccountRole)}
      >
        {ACCOUNT_ROLES.map((role) => (
          <option key={role} value={role}>
            {texts.adminRoles[role]}
          </option>
        ))}
      </select>
      <ChevronDown className="icon" aria-hidden="true" />
    </span>
  )
}

function PersonMenu({ person, isOwn, rows, onAsk }: AboutPersonProps) {
  const api = useApi()
  const toasts = useToasts()
  const { menu } = words
  const { state, role, $id } = person
  const label = texts.adminRows.more(nameOf(person))

  async function handleUnblock() {
    if (await rows.tryChange(person, () => setBlocked(api, $id, false)))
      toasts.show({ kind: 'ok', text: words.unblocked(nameOf(person)) })
  }
  if (state === 'invited')
    return (
      <RowMenu label={label}>
        <RowMenuItem Icon={MailPlus} onPress={() => onAsk({ about: 'again', person })}>
          {menu.newLink}
        </RowMenuItem>
        <RowMenuItem Icon={Trash2} isDanger onPress={() => onAsk({ about: 'withdraw', person })}>
          {menu.withdraw}
        </RowMenuItem>
      </RowMenu>
    )
  return (
    <RowMenu label={label}>
      {state === 'active' && role !== 'operator' && (
        <RowMenuItem Icon={LinkIcon} onPress={() => onAsk({ about: 'link', person })}>
          {menu.link}
        </RowMenuItem>
      )}
      {state === 'active' && (
        <Link role="menuitem" to={`/author/${$id}`} tabIndex={-1}>
          <Newspaper className="icon" aria-hidden="true" />
          {menu.posts}
        </Link>
      )}
      {state === 'blocked' && (
        <RowMenuItem Icon={RotateCcw} onPress={() => void handleUnblock()}>
          {menu.unblock}
        </RowMenuItem>
      )}
      {!isOwn && state === 'active' && (
        <RowMenuItem Icon={Ban} onPress={() => onAsk({ about: 'block', person })}>
          {menu.block}
        </RowMenuItem>
      )}
      {!isOwn && (
        <RowMenuItem Icon={Trash2} isDanger onPress={() => onAsk({ about: 'delete', person })}>
          {menu.delete}
        </RowMenuItem>
      )}
    </RowMenu>
  )
}
