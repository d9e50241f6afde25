package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// unreadable ends the command: a file is not what its option says.
type unreadable string

// object is read by exact names. A struct would also accept names in another case, and so read something else than what is signed.
type object map[string]any

func readFile(path string) []byte {
	data, err := os.ReadFile(path)
	if err != nil {
		panic(unreadable(err.Error()))
	}
	return data
}

func readObject(path string) object {
	o, err := parseObject(readFile(path))
	if err != nil {
		panic(unreadable(path + ": " + err.Error()))
	}
	return o
}

func parseObject(data []byte) (o object, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err = decoder.Decode(&o); err == nil && o == nil {
		err = fmt.Errorf("it is no JSON object")
	}
	return o, err
}

// The envelope of the API may be around it.
func (o object) result() object {
	if inner, has := o["result"].(map[string]any); has {
		return inner
	}
	return o
}

func get[T any](o object, name string) T {
	value, fits := o[name].(T)
	if !fits {
		panic(unreadable(fmt.Sprintf("%q is missing or of another type", name)))
	}
	return value
}

func (o object) text(name string) string { return get[string](o, name) }

func (o object) number(name string) int64 {
	number, err := get[json.Number](o, name).Int64()
	if err != nil {
		panic(unreadable(fmt.Sprintf("%q is no whole number", name)))
	}
	return number
}

func (o object) objects(name string) []object {
	values := get[[]any](o, name)
	objects := make([]object, len(values))
	for i, value := range values {
		objects[i] = get[map[string]any](object{name: value}, name)
	}
	return objects
}
