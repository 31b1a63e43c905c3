// A choice that is on or off, at the end of its row.
import type { ReactNode } from 'react'

type SwitchProps = {
  label: ReactNode
  hint?: ReactNode
  isOn: boolean
  isOff?: boolean
  onChange: (isOn: boolean) => void
}

/** @param props.isOff it cannot be changed */
export function Switch({ label, hint, isOn, isOff = false, onChange }: SwitchProps) {
  return (
    <label className="switch">
      <span>
        {label}
        {hint && <small className="hint">{hint}</small>}
      </span>
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        aria-disabled={isOff || undefined}
        onChange={({ currentTarget }) => !isOff && onChange(currentTarget.checked)}
      />
    </label>
  )
}
