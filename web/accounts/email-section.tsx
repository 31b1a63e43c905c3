// Settings: the e-mail address. A new one starts unverified, and the old one is told (threat-model §6).
import { BadgeCheck, MailWarning } from 'lucide-react'
import type { Account } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { TextInput } from '../ui/text-input.tsx'
import { changeEmail } from './account-changes-api.ts'
import { FormNews } from './form-news.tsx'
import { SettingsSection } from './settings-section.tsx'
import { useSettingsForm } from './use-settings-form.ts'
import { VerificationMailButton } from './verification-mail-button.tsx'

export function EmailSection({ account }: { account: Account }) {
  const api = useApi()
  const hasPassword = account.passwordUpdate !== ''
  const form = useSettingsForm(async (read) => ({ account: await changeEmail(api, { email: read('email').trim(), password: read('password') }) }), {
    doneText: 'Your email is changed. The new address is not verified yet.',
    passwordField: 'password',
  })
  return (
    <SettingsSection title="Email" text="What you sign in with. Nobody else sees it.">
      <div className="setting__now">
        <bdi>{account.email}</bdi>
        {account.emailVerification ? (
          <span className="chip chip--on chip--icon">
            <BadgeCheck className="i i--sm" aria-hidden="true" />
            Email verified
          </span>
        ) : (
          <span className="chip chip--icon">
            <MailWarning className="i i--sm" aria-hidden="true" />
            Email not verified
          </span>
        )}
      </div>
      {!account.emailVerification && api.settings.hasMail && (
        <div className="row">
          {/* A new address has a pause of its own. */}
          <VerificationMailButton key={account.email} label="Send verification email" kind="secondary" />
        </div>
      )}
      <FormNews failureText={form.failure?.message} doneText={form.doneText} />
      <form noValidate aria-label="Change email" className="stack" onSubmit={form.handleSubmit}>
        <Field label="New email" error={form.failure?.fields.email}>
          {(ids) => <TextInput {...ids} type="email" name="email" autoComplete="email" inputMode="email" />}
        </Field>
        <Field
          label={hasPassword ? 'Current password' : 'Choose a password'}
          hint={hasPassword ? undefined : 'Your account has no password yet. This becomes it: at least 8 characters.'}
          error={form.failure?.fields.password}
        >
          {(ids) => <PasswordInput {...ids} name="password" autoComplete={hasPassword ? 'current-password' : 'new-password'} />}
        </Field>
        <div className="row">
          <Button kind="primary" type="submit" isBusy={form.isBusy} busyLabel="Changing the email">
            Change email
          </Button>
        </div>
      </form>
    </SettingsSection>
  )
}
