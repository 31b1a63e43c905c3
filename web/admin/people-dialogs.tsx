// What is asked before somebody is invited, blocked, deleted or made an operator, and the links
// that operators hand out.
import { useEffect, useEffectEvent, useState } from 'react'
import type { OperatorPerson, SignInLink } from '#contract/operator.ts'
import { ACCOUNT_ROLES, type AccountRole } from '#contract/permissions.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Api, type Result, useApi } from '../api/client.ts'
import { FormFailure, fieldFailure } from '../forms/form-failure.ts'
import { EmailField, FormOutcome } from '../forms/form-parts.tsx'
import { useForm } from '../forms/use-form.ts'
import { useLoaded } from '../lists/use-loaded.ts'
import { texts } from '../locales/texts.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { SelectField } from '../ui/field.tsx'
import { useToasts } from '../ui/toasts.tsx'
import {
  countContent,
  deleteUser,
  failureText,
  invite,
  makeSignInLink,
  setBlocked,
  setRole,
  withdrawInvitation,
  withdrawSignInLink,
} from './admin-api.ts'
import { LinkDialog } from './link-dialog.tsx'
import { ReasonField, type RowActions } from './list-parts.tsx'

const words = texts.adminPeople

/** What is asked for. `again`: a new link for an invitation. */
export type Asked =
  | { about: 'invite' }
  | { about: 'role'; person: OperatorPerson; role: AccountRole }
  | { about: 'link' | 'again' | 'withdraw' | 'block' | 'delete'; person: OperatorPerson }
  | { about: 'invitation'; email: string; url: string }

type DialogProps = {
  rows: RowActions<OperatorPerson>
  onAsk: (asked: Asked | undefined) => void
  onInvited: () => void
}

export function PeopleDialogs({ asked, ...rest }: DialogProps & { asked: Asked }) {
  if (asked.about === 'invite') return <Invite {...rest} />
  if (asked.about === 'invitation') return <InvitationLink {...asked} onAsk={rest.onAsk} />
  const { person } = asked
  if (asked.about === 'role') return <AskRole {...rest} person={person} role={asked.role} />
  if (asked.about === 'link') return <SignInLinkFor {...rest} person={person} />
  if (asked.about === 'again') return <InviteAgain {...rest} person={person} />
  if (asked.about === 'withdraw') return <Withdraw {...rest} person={person} />
  return asked.about === 'block' ? (
    <Block {...rest} person={person} />
  ) : (
    <Delete {...rest} person={person} />
  )
}

/** What somebody is called: an account may have no name. */
export function nameOf({ name, email }: Pick<OperatorPerson, 'name' | 'email'>): string {
  return name || email
}

// --- invitations

/** @returns what is shown next */
async function sendInvitation(api: Api, email: string, role: AccountRole) {
  const made = await invite(api, { email, role })
  if (!made.ok) return { failure: made.failure }
  const { url } = made.value
  return { next: url ? ({ about: 'invitation', email, url } as const) : undefined }
}

function Invite({ onAsk, onInvited }: DialogProps) {
  const api = useApi()
  const toasts = useToasts()
  const { title, submit, hint, missing } = words.inviting
  const [role, setRoleTo] = useState<string>('author')
  const { isBusy, failure, handleSubmit } = useForm(async (read) => {
    const email = read('email').trim()
    if (!email) throw fieldFailure('email', missing)
    const { failure, next } = await sendInvitation(api, email, role as AccountRole)
    if (failure?.type === 'user_already_exists')
      throw fieldFailure('email', texts.refusals.emailTaken)
    if (failure)
      throw failure.message.includes('`email`')
        ? fieldFailure('email', texts.forms.notAnEmail)
        : new FormFailure(failureText(failure))
    onInvited()
    onAsk(next)
    if (!next) toasts.show({ kind: 'ok', text: words.mailed(email) })
  })
  return (
    <Drawer
      title={title}
      submitLabel={submit}
      isBusy={isBusy}
      onSubmit={handleSubmit}
      onClose={() => onAsk(undefined)}
    >
      <FormOutcome failureText={!failure?.fields.email && failure?.message} doneText={false} />
      <EmailField error={failure?.fields.email} autoComplete="off" />
      <SelectField
        label={words.role}
        choices={ACCOUNT_ROLES.toReversed().map((one) => [one, texts.adminRoles[one]])}
        value={role}
        onChange={setRoleTo}
      />
      <p className="hint">{hint}</p>
    </Drawer>
  )
}

function InvitationLink({
  email,
  url,
  onAsk,
}: Extract<Asked, { about: 'invitation' }> & Pick<DialogProps, 'onAsk'>) {
  const { title, text, label } = words.invitationLink
  return (
    <LinkDialog
      title={title(email)}
      text={text}
      label={label}
      url={url}
      onClose={() => onAsk(undefined)}
    />
  )
}

type PersonDialogProps = DialogProps & { person: OperatorPerson }

/** The link of an invitation is known to nobody once it was shown: a new one replaces it. */
function InviteAgain({ person, onAsk, onInvited }: PersonDialogProps) {
  const api = useApi()
  const toasts = useToasts()
  const { title, text, confirm } = words.invitingAgain
  async function handleConfirm() {
    const { failure, next } = await sendInvitation(api, person.email, person.role)
    if (failure) return failureText(failure)
    onInvited()
    onAsk(next)
    if (!next) toasts.show({ kind: 'ok', text: words.mailed(person.email) })
    return undefined
  }
  return (
    <ConfirmDialog
      title={title(person.email)}
      confirmLabel={confirm}
      kind="primary"
      isWide
      onConfirm={handleConfirm}
      onCancel={() => onAsk(undefined)}
    >
      {text}
    </ConfirmDialog>
  )
}

// --- people

function SignInLinkFor({ person, onAsk }: PersonDialogProps) {
  const api = useApi()
  const toasts = useToasts()
  const [link, setLink] = useState<SignInLink>()
  const make = useEffectEvent(async () => {
    const made = await makeSignInLink(api, person.$id)
    if (made.ok) return setLink(made.value)
    toasts.show({ kind: 'error', text: failureText(made.failure) })
    onAsk(undefined)
  })
  useEffect(() => void make(), [])
  const { title, text, label, withdraw, withdrawn, note } = words.signInLink
  if (!link) return null
  async function handleWithdraw(made: SignInLink) {
    const done = await withdrawSignInLink(api, made)
    if (!done.ok) return failureText(done.failure)
    toasts.show({ kind: 'ok', text: withdrawn })
    onAsk(undefined)
    return undefined
  }
  return (
    <LinkDialog
      title={title(nameOf(person))}
      text={text(nameOf(person))}
      label={label}
      note={note}
      url={link.url}
      withdraw={{ label: withdraw, onPress: () => handleWithdraw(link) }}
      onClose={() => onAsk(undefined)}
    />
  )
}

/** @returns does it to the person who was asked about, and says so; answers why it was not done */
function useDoing({ person, rows, onAsk }: PersonDialogProps) {
  const toasts = useToasts()
  return async function act(work: () => Promise<Result<unknown>>, done: string) {
    const failed = await rows.change(person, work)
    if (failed) return failed
    onAsk(undefined)
    toasts.show({ kind: 'ok', text: done })
    return undefined
  }
}

function AskRole({ role, ...props }: PersonDialogProps & { role: AccountRole }) {
  const { person, onAsk } = props
  const api = useApi()
  const act = useDoing(props)
  const { refresh, userData } = useViewer()
  const isOwn = userData?.$id === person.$id
  const { title, text, confirm } = isOwn ? words.givingUp : words.promoting
  async function handleConfirm() {
    const done = words.roleSet(nameOf(person), role)
    const failed = await act(() => setRole(api, person.$id, role), done)
    if (isOwn && !failed) await refresh()
    return failed
  }
  return (
    <ConfirmDialog
      title={title(nameOf(person))}
      confirmLabel={confirm}
      kind={isOwn ? 'danger' : 'primary'}
      isWide
      onConfirm={handleConfirm}
      onCancel={() => onAsk(undefined)}
    >
      {text(nameOf(person))}
    </ConfirmDialog>
  )
}

function Withdraw(props: PersonDialogProps) {
  const { person, onAsk } = props
  const api = useApi()
  const act = useDoing(props)
  const { title, text } = words.withdrawing
  return (
    <ConfirmDialog
      title={title(person.email)}
      confirmLabel={words.menu.withdraw}
      onConfirm={() =>
        act(() => withdrawInvitation(api, person.$id), words.withdrawn(person.email))
      }
      onCancel={() => onAsk(undefined)}
    >
      {text}
    </ConfirmDialog>
  )
}

function Block(props: PersonDialogProps) {
  const { person, onAsk } = props
  const api = useApi()
  const act = useDoing(props)
  const [reason, setReason] = useState('')
  const { title, text, label, confirm, done } = words.blocking
  return (
    <ConfirmDialog
      title={title(nameOf(person))}
      confirmLabel={confirm}
      isWide
      onConfirm={() =>
        act(() => setBlocked(api, person.$id, true, reason.trim()), done(nameOf(person)))
      }
      onCancel={() => onAsk(undefined)}
    >
      <p>{text}</p>
      <ReasonField label={label} value={reason} onChange={setReason} />
    </ConfirmDialog>
  )
}

function Delete(props: PersonDialogProps) {
  const { person, onAsk } = props
  const api = useApi()
  const act = useDoing(props)
  const [typed, setTyped] = useState('')
  const { value: content } = useLoaded(person.$id, () => countContent(api, person.$id))
  const { title, counted, uncounted, hint, label, confirm, done } = words.deleting
  return (
    <ConfirmDialog
      title={title(nameOf(person))}
      confirmLabel={confirm}
      isConfirmOff={typed.trim() !== nameOf(person)}
      isWide
      onConfirm={() => act(() => deleteUser(api, person.$id), done(nameOf(person)))}
      onCancel={() => onAsk(undefined)}
    >
      <p>
        {content?.ok ? counted(content.value) : uncounted} {hint}
      </p>
      <ReasonField label={label(nameOf(person))} value={typed} onChange={setTyped} />
    </ConfirmDialog>
  )
}
