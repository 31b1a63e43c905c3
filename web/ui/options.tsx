// Options of which the user chooses one, each on a line of its own with room for a hint.
import { useEffect, useId, useState } from 'react'

type OptionsProps<Value extends string> = {
  legend: string
  options: readonly { value: Value; name: string; hint?: string }[]
  /** The saved value. A choice is shown at once; when it cannot be saved, `now` is shown again. */
  now: Value
  onChoose: (value: Value) => void
}

export function Options<Value extends string>({
  legend,
  options,
  now,
  onChoose,
}: OptionsProps<Value>) {
  const group = useId()
  const [shown, setShown] = useState(now)
  useEffect(() => setShown(now), [now])
  return (
    <fieldset className="options">
      <legend>{legend}</legend>
      {options.map(({ value, name, hint }) => (
        <label key={value} className="option">
          <input
            className="option__mark"
            type="radio"
            name={group}
            value={value}
            checked={value === shown}
            onChange={() => {
              setShown(value)
              onChoose(value)
            }}
          />
          <span>
            {name}
            {hint && <small className="hint">{hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
