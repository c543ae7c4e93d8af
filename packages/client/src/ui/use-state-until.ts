import { type Dispatch, type SetStateAction, useState } from 'react'

/** A state that is as at first again whenever `key` changes. */
export function useStateUntil<T>(key: unknown, first: T): [T, Dispatch<SetStateAction<T>>] {
  const [value, setValue] = useState(first)
  const [seen, setSeen] = useState(key)
  if (!Object.is(seen, key)) {
    setSeen(key)
    setValue(first)
  }
  return [value, setValue]
}
