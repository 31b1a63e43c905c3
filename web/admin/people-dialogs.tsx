// The dialogs about people: an invitation, the links that operators pass on, and the confirmations
// before somebody is blocked, deleted or made an operator.
import { useEffect, useEffectEvent, useState } from 'react'
import { REASON_MAX_CHARS } from '#contract/limits.ts'
import type { OperatorPerson, SignInLink } from '#contract/operator.ts'
import { ACCOUNT_ROLES, type AccountRole } from '#contract/permissions.ts'
import { useViewer } from '../accounts/viewer.tsx'
import { type Failure, useApi } from '../api/client.ts'
import { FormFailure, fieldFailure } from '../forms/form-failure.ts'
import { EmailField, FormOutcome } from '../forms/form-parts.tsx'
import { useForm } from '../forms/use-form.ts'
import { useLoaded } from '../lists/use-loaded.ts'
import { texts } from '../locales/texts.ts'
import type { Ask } from '../ui/confirm-dialog.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { SelectField } from '../ui/field.tsx'
import { useToasts } from '../ui/toasts.tsx'
import {
  countContent,
  createSignInLink,
  deleteUser,
  failureText,
  invite,
  setBlocked,
  setRole,
  withdrawInvitation,
  withdrawSignInLink,
} from './admin-api.ts'
import { LinkDialog } from './link-dialog.tsx'
import type { RowActions } from './list-parts.tsx'

const words = texts.adminPeople

export type OpenDialog =
  | { kind: 'invite' }
  | { kind: 'invitationLink'; email: string; url: string }
  | { kind: 'signInLink'; person: OperatorPerson }

type DialogProps = {
  onOpen: (dialog: OpenDialog | undefined) => void
  onInvited: () => void
}

export function PeopleDialog({ dialog, ...props }: DialogProps & { dialog: OpenDialog }) {
  if (dialog.kind === 'invite') return <InviteDialog {...props} />
  if (dialog.kind === 'signInLink') return <SignInLinkDialog {...props} person={dialog.person} />
  const { email, url } = dialog
  const { title, text, label } = words.invitationLink
  return (
    <LinkDialog
      title={title(email)}
      text={text}
      label={label}
      url={url}
      onClose={() => props.onOpen(undefined)}
    />
  )
}

/** The name of a person, or the email address of an account without a name. */
export function nameOf({ name, email }: Pick<OperatorPerson, 'name' | 'email'>): string {
  return name || email
}

// --- invitations

type Invitee = { email: string; role: AccountRole }

/**
 * Sends an invitation, then shows its link or says that it was mailed.
 *
 * @returns a function that resolves to the failure, or undefined on success
 */
function useInvite({ onOpen, onInvited }: DialogProps) {
  const api = useApi()
  const toasts = useToasts()
  return async function send({ email, role }: Invitee): Promise<Failure | undefined> {
    const invitation = await invite(api, { email, role })
    if (!invitation.ok) return invitation.failure
    const { url } = invitation.value
    onInvited()
    onOpen(url ? { kind: 'invitationLink', email, url } : undefined)
    if (!url) toasts.show({ kind: 'ok', text: words.mailed(email) })
    return undefined
  }
}

function InviteDialog(props: DialogProps) {
  const send = useInvite(props)
  const { title, submit, hint, missing } = words.inviting
  const [role, chooseRole] = useState<string>('author')
  const { isBusy, failure, handleSubmit } = useForm(async (read) => {
    const email = read('email').trim()
    if (!email) throw fieldFailure('email', missing)
    const failure = await send({ email, role: role as AccountRole })
    if (failure?.type === 'user_already_exists')
      throw fieldFailure('email', texts.refusals.emailTaken)
    if (failure)
      throw failure.message.includes('`email`')
        ? fieldFailure('email', texts.forms.notAnEmail)
        : new FormFailure(failureText(failure))
  })
  return (
    <Drawer
      title={title}
      submitLabel={submit}
      isBusy={isBusy}
      onSubmit={handleSubmit}
      onClose={() => props.onOpen(undefined)}
    >
      <FormOutcome failureText={!failure?.fields.email && failure?.message} doneText={false} />
      <EmailField error={failure?.fields.email} autoComplete="off" />
      <SelectField
        label={words.role}
        choices={ACCOUNT_ROLES.toReversed().map((value) => [value, texts.adminRoles[value]])}
        value={role}
        onChange={chooseRole}
      />
      <p className="hint">{hint}</p>
    </Drawer>
  )
}

type SignInLinkDialogProps = Pick<DialogProps, 'onOpen'> & { person: OperatorPerson }

function SignInLinkDialog({ person, onOpen }: SignInLinkDialogProps) {
  const api = useApi()
  const toasts = useToasts()
  const [link, setLink] = useState<SignInLink>()
  const create = useEffectEvent(async () => {
    const created = await createSignInLink(api, person.$id)
    if (created.ok) return setLink(created.value)
    toasts.show({ kind: 'error', text: failureText(created.failure) })
    onOpen(undefined)
  })
  useEffect(() => void create(), [])
  const { title, text, label, withdraw, withdrawn, note } = words.signInLink
  if (!link) return null
  async function handleWithdraw(linkToWithdraw: SignInLink) {
    const result = await withdrawSignInLink(api, linkToWithdraw)
    if (!result.ok) return failureText(result.failure)
    toasts.show({ kind: 'ok', text: withdrawn })
    onOpen(undefined)
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
      onClose={() => onOpen(undefined)}
    />
  )
}

// --- confirmations

type ConfirmationsProps = DialogProps & { rows: RowActions<OperatorPerson>; ask: Ask }

export type PersonConfirmations = ReturnType<typeof usePersonConfirmations>

function useAskToInvite(props: DialogProps, ask: Ask) {
  const sendInvitation = useInvite(props)
  return (
    { email, role }: OperatorPerson,
    { title, text, confirm }: typeof words.invitingAgain,
  ) => {
    ask({
      title: title(email),
      text,
      confirmLabel: confirm,
      kind: 'primary',
      isWide: true,
      async onConfirm() {
        const failure = await sendInvitation({ email, role })
        return failure && failureText(failure)
      },
    })
  }
}

/** Changes accounts and invitations, each after a confirmation. */
export function usePersonConfirmations({ rows, ask, ...props }: ConfirmationsProps) {
  const api = useApi()
  const askToInvite = useAskToInvite(props, ask)
  const { refresh, userData } = useViewer()
  return {
    setRole(person: OperatorPerson, role: AccountRole) {
      const isOwn = userData?.$id === person.$id
      const name = nameOf(person)
      const { title, text, confirm } = isOwn ? words.givingUp : words.promoting
      ask({
        title: title(name),
        text: text(name),
        confirmLabel: confirm,
        kind: isOwn ? 'danger' : 'primary',
        isWide: true,
        async onConfirm() {
          const doneText = words.roleSet(name, role)
          const failure = await rows.act(person, () => setRole(api, person.$id, role), { doneText })
          if (isOwn && !failure) await refresh()
          return failure
        },
      })
    },
    /** Creates a new link, which replaces the old one: an invitation's link is shown only once. */
    inviteAgain: (person: OperatorPerson) => askToInvite(person, words.invitingAgain),
    /** Hands the account and its posts to an imported author. */
    inviteImported: (person: OperatorPerson) => askToInvite(person, words.invitingImported),
    withdraw(person: OperatorPerson) {
      const { title, text } = words.withdrawing
      const withdraw = () => withdrawInvitation(api, person.$id)
      ask({
        title: title(person.email),
        text,
        confirmLabel: words.menu.withdraw,
        onConfirm: () => rows.act(person, withdraw, { doneText: words.withdrawn(person.email) }),
      })
    },
    block(person: OperatorPerson) {
      const { title, text, label, confirm, done } = words.blocking
      const name = nameOf(person)
      ask({
        title: title(name),
        text,
        confirmLabel: confirm,
        isWide: true,
        field: { label, maxLength: REASON_MAX_CHARS },
        onConfirm: (reason) =>
          rows.act(person, () => setBlocked(api, person.$id, true, reason), {
            doneText: done(name),
          }),
      })
    },
    deleteAccount(person: OperatorPerson) {
      const { title, label, confirm, done } = words.deleting
      const name = nameOf(person)
      ask({
        title: title(name),
        text: <DeletionText userId={person.$id} />,
        confirmLabel: confirm,
        isWide: true,
        field: { label: label(name), maxLength: REASON_MAX_CHARS, mustBe: name },
        onConfirm: () =>
          rows.act(person, () => deleteUser(api, person.$id), { doneText: done(name) }),
      })
    },
  }
}

/** Says how much is deleted with the account, as soon as the server has counted it. */
function DeletionText({ userId }: { userId: string }) {
  const api = useApi()
  const { value: content } = useLoaded(userId, () => countContent(api, userId))
  const { counted, uncounted, hint } = words.deleting
  return (
    <p>
      {content?.ok ? counted(content.value) : uncounted} {hint}
    </p>
  )
}
