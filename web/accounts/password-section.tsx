// Settings: the password. A new one signs every other device out (threat-model.md §6).
import type { Ref } from 'react'
import type { Account } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { changePassword } from './account-changes-api.ts'
import { PASSWORDS_DIFFER } from './form-failure.ts'
import { FreshSignIn } from './fresh-sign-in.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SettingsSection } from './settings-section.tsx'
import { useSettingsForm } from './use-settings-form.ts'
import { UsernameHint } from './username-hint.tsx'

type PasswordSectionProps = {
  account: Account
  /** The section, for those who lead here. */
  ref: Ref<HTMLElement>
  /** Other sessions have ended. */
  onChanged: () => void
}

export function PasswordSection({ account, ref, onChanged }: PasswordSectionProps) {
  const api = useApi()
  const hasPassword = account.passwordUpdate !== ''
  const form = useSettingsForm(
    async (read) => {
      const password = read('password')
      if (password !== read('passwordAgain')) return { failure: PASSWORDS_DIFFER }
      const changed = await changePassword(api, {
        password,
        ...(hasPassword ? { oldPassword: read('oldPassword') } : {}),
      })
      onChanged()
      return { account: changed }
    },
    { doneText: texts.passwordSaving.done, passwordField: 'oldPassword' },
  )
  return (
    <SettingsSection
      ref={ref}
      title={texts.passwordSection.title}
      text={texts.passwordSection.text}
    >
      {!hasPassword && (
        <FreshSignIn
          email={account.email}
          text={texts.freshSignIn.forPassword}
          isNeeded={form.failure?.needsSignIn}
        />
      )}
      <SettingsForm
        form={form}
        label={texts.passwordSaving.button}
        submitLabel={hasPassword ? texts.passwordSaving.button : texts.passwordSaving.set}
        busyLabel={texts.passwordSaving.busy}
      >
        <UsernameHint email={account.email} />
        {hasPassword && (
          <Field label={texts.fields.currentPassword} error={form.failure?.fields.oldPassword}>
            {(ids) => <PasswordInput {...ids} name="oldPassword" autoComplete="current-password" />}
          </Field>
        )}
        <NewPasswordFields failure={form.failure} />
      </SettingsForm>
    </SettingsSection>
  )
}
