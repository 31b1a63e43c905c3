// /admin/people: everybody with an account or an invitation, and the actions of operators on them.
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
import { RowMenu } from '../lists/row-menu.tsx'
import { texts } from '../locales/texts.ts'
import { AuthorAvatar } from '../posts/author-avatar.tsx'
import { Button } from '../ui/button.tsx'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import { MenuItem, MenuLink } from '../ui/menu.tsx'
import { listPeople, setBlocked, setRole } from './admin-api.ts'
import { AdminPage, useAdminData } from './admin-frame.tsx'
import { Done, ListPages, ListQuery, type RowActions, useRowActions } from './list-parts.tsx'
import {
  nameOf,
  type OpenDialog,
  PeopleDialog,
  type PersonConfirmations,
  usePersonConfirmations,
} from './people-dialogs.tsx'

const words = texts.adminPeople
const AVATAR_PIXELS = 44

export function AdminPeoplePage() {
  const page = useAdminData<OperatorPeople>(listPeople)
  const rows = useRowActions<OperatorPerson>(
    page,
    (person, other) => person.role === other.role && person.state === other.state,
  )
  const { ask, dialog: confirmDialog } = useConfirm()
  const [dialog, setDialog] = useState<OpenDialog>()
  const onInvited = () => void page.reload()
  const confirmations = usePersonConfirmations({ rows, ask, onOpen: setDialog, onInvited })
  return (
    <AdminPage
      title={words.title}
      lead={page.value && words.lead(page.value.people)}
      heading={rows.heading}
      page={page}
      action={
        <Button kind="primary" Icon={UserPlus} onClick={() => setDialog({ kind: 'invite' })}>
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
                <PersonRow
                  key={person.$id}
                  person={person}
                  rows={rows}
                  confirmations={confirmations}
                  onSignInLink={() => setDialog({ kind: 'signInLink', person })}
                />
              ))}
            </ul>
          )}
          <ListPages listPage={people} />
          {confirmDialog}
          {dialog && <PeopleDialog dialog={dialog} onOpen={setDialog} onInvited={onInvited} />}
        </>
      )}
    </AdminPage>
  )
}

type PersonRowProps = {
  person: OperatorPerson
  rows: RowActions<OperatorPerson>
  confirmations: PersonConfirmations
  onSignInLink: () => void
}

function PersonRow(props: PersonRowProps) {
  const { person } = props
  const isInvited = person.state === 'invited'
  const isOwn = useViewer().userData?.$id === person.$id
  return (
    <li data-row={person.$id}>
      {isInvited ? (
        <span className="avatar people__invited">
          <Mail className="icon" aria-hidden="true" />
        </span>
      ) : (
        <AuthorAvatar name={nameOf(person)} avatarId={person.avatar} sidePixels={AVATAR_PIXELS} />
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
        <RoleSelect {...props} isOwn={isOwn} />
      )}
      <PersonMenu {...props} isOwn={isOwn} />
    </li>
  )
}

function Facts({ person }: { person: OperatorPerson }) {
  const { name, email, state, emailVerification, registration, accessedAt, posts } = person
  const isUnclaimed = person.unclaimedEmail !== undefined
  if (state === 'invited')
    return (
      <p className="hint row facts">
        <span className="chip chip--icon chip--time">
          <Clock className="icon icon--small" aria-hidden="true" />
          {words.invited}
        </span>
        {person.done && <Done done={person.done} />}
        {person.expire && <span>{words.worksUntil(<LocalDate time={person.expire} />)}</span>}
      </p>
    )
  return (
    <p className="hint row facts">
      {name && <bdi>{email}</bdi>}
      {state === 'blocked' && (
        <span className="chip chip--icon">
          <Ban className="icon icon--small" aria-hidden="true" />
          {words.blocked}
        </span>
      )}
      {state === 'blocked' && person.done && <Done done={person.done} />}
      {isUnclaimed && (
        <span className="chip chip--icon chip--time">
          <Clock className="icon icon--small" aria-hidden="true" />
          {words.unclaimed}
        </span>
      )}
      {state === 'active' && !emailVerification && !isUnclaimed && (
        <span className="chip chip--icon chip--warn">
          <Mail className="icon icon--small" aria-hidden="true" />
          {words.notVerified}
        </span>
      )}
      <span>
        {accessedAt === '' || isUnclaimed
          ? words.joined(<LocalDate time={registration} />)
          : words.lastSeen(<LocalDate time={accessedAt} />)}
      </span>
      <span>{words.posts(posts)}</span>
    </p>
  )
}

type PersonControlProps = PersonRowProps & { isOwn: boolean }

/** Saves a role at once, with an undo. Giving or taking the role of operator is confirmed first. */
function RoleSelect({ person, isOwn, rows, confirmations }: PersonControlProps) {
  const api = useApi()
  function handleChoose(role: AccountRole) {
    if (role === 'operator' || isOwn) return confirmations.setRole(person, role)
    rows.actAtOnce(person, () => setRole(api, person.$id, role), {
      doneText: words.roleSet(nameOf(person), role),
      undo: () => setRole(api, person.$id, person.role),
    })
  }
  return (
    <span className="select people__role">
      <select
        className="input"
        aria-label={words.roleOf(nameOf(person))}
        value={person.role}
        onChange={({ currentTarget }) => handleChoose(currentTarget.value as AccountRole)}
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

function PersonMenu({ person, isOwn, rows, confirmations, onSignInLink }: PersonControlProps) {
  const api = useApi()
  const { menu } = words
  const { state, role, $id } = person
  const label = texts.adminRows.more(nameOf(person))
  const unblock = () => setBlocked(api, $id, false)

  if (state === 'invited')
    return (
      <RowMenu label={label}>
        <MenuItem Icon={MailPlus} onPress={() => confirmations.inviteAgain(person)}>
          {menu.newLink}
        </MenuItem>
        <MenuItem Icon={Trash2} isDanger onPress={() => confirmations.withdraw(person)}>
          {menu.withdraw}
        </MenuItem>
      </RowMenu>
    )
  return (
    <RowMenu label={label}>
      {person.unclaimedEmail && (
        <MenuItem Icon={MailPlus} onPress={() => confirmations.inviteImported(person)}>
          {menu.inviteImported}
        </MenuItem>
      )}
      {state === 'active' && role !== 'operator' && !person.unclaimedEmail && (
        <MenuItem Icon={LinkIcon} onPress={onSignInLink}>
          {menu.link}
        </MenuItem>
      )}
      {state === 'active' && (
        <MenuLink Icon={Newspaper} to={`/author/${$id}`}>
          {menu.posts}
        </MenuLink>
      )}
      {state === 'blocked' && (
        <MenuItem
          Icon={RotateCcw}
          onPress={() =>
            rows.actAtOnce(person, unblock, { doneText: words.unblocked(nameOf(person)) })
          }
        >
          {menu.unblock}
        </MenuItem>
      )}
      {!isOwn && state === 'active' && (
        <MenuItem Icon={Ban} onPress={() => confirmations.block(person)}>
          {menu.block}
        </MenuItem>
      )}
      {!isOwn && (
        <MenuItem Icon={Trash2} isDanger onPress={() => confirmations.deleteAccount(person)}>
          {menu.delete}
        </MenuItem>
      )}
    </RowMenu>
  )
}
