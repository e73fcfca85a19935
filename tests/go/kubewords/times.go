package main

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var durationEdges = []string{
	"", "0", "-0", "+0", "0s", "1", "1s", "-1s", "+1s", "1.5s", ".5s", "5.s", ".s", "-.s", "1h", "1h2m3.5s", "1m1h", "1ns", "1us", "1µs",
	"1μs", "1ms", "1.5ms", "1.0001ms", "1.0000001ms", "999ns", "1000ns", "1500us", "60s", "3600s", "3601s", "90m", "100h", "1d", "1 s", " 1s",
	"1s ", "1S", "1sec", "s", "h1", "1h-2m", "--1s", "1.2.3s", "9223372036854775807ns", "9223372036854775808ns", "-9223372036854775808ns",
	"-9223372036854775809ns", "2562047h47m16.854775807s", "2562047h47m16.854775808s", "-2562047h47m16.854775808s", "2562048h",
	"9999999999999999999h", "99999999999999999999h", "0.3333333333333333333h", "0.9223372036854775807h", "0.9223372036854775808h",
	"0.100000000000000000000h", "3.14159265358979h", "1e3s", "1é", "1\x00", "1\"s", "1\\s", "1.s5", "1h1", "0.000000001s", "0.0000000001s", "0h0m0s",
}

func duration(in string) {
	r := row{"t": "duration", "in": in}
	d, err := time.ParseDuration(in)
	if err != nil {
		r["err"] = err.Error()
	} else {
		r["nanos"] = int64(d)
		r["out"] = metav1.Duration{Duration: d}.ToUnstructured()
	}
	emit(r)
}

func durations() {
	for _, in := range durationEdges {
		duration(in)
	}
	for i := 0; i < 120; i++ {
		in := pick([]string{"", "", "-"})
		for n := 1 + random.Intn(3); n > 0; n-- {
			in += text("0123456789", 5) + pick([]string{"", "", "." + text("0123456789", 12)}) +
				pick([]string{"h", "m", "s", "ms", "us", "µs", "ns", "s", "x", ""})
		}
		duration(in)
	}
	for i := 0; i < 80; i++ {
		nanos := random.Int63() >> random.Intn(63)
		if random.Intn(2) == 0 {
			nanos = -nanos
		}
		emit(row{"t": "duration_nanos", "in": nanos, "out": time.Duration(nanos).String()})
	}
	for _, nanos := range []int64{0, math.MaxInt64, math.MinInt64, 1, -1} {
		emit(row{"t": "duration_nanos", "in": nanos, "out": time.Duration(nanos).String()})
	}
}

var timeEdges = []string{
	"", "x", "2026", "2026-", "2026-01", "2026-01-02", "2026-01-02T", "2026-01-02T03", "2026-01-02T03:04", "2026-01-02T03:04:05",
	"2026-01-02T03:04:05Z", "2026-01-02T03:04:05z", "2026-01-02t03:04:05Z", "2026-01-02 03:04:05Z", "2026-1-2T03:04:05Z", "2026-01-02T3:04:05Z",
	"2026-01-02T3:4:5Z", "2026-01-02T03:04:05+02:00", "2026-01-02T03:04:05-23:59", "2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05+24:60",
	"2026-01-02T03:04:05+25:00", "2026-01-02T03:04:05+00:61", "2026-01-02T03:04:05+0200", "2026-01-02T03:04:05+02", "2026-01-02T03:04:05x02:00",
	"2026-01-02T03:04:05x25:00", "2026-01-02T03:04:05+2x:00", "2026-01-02T03:04:05+02:x0", "2026-01-02T03:04:05.5Z", "2026-01-02T03:04:05,5Z",
	"2026-01-02T03:04:05.Z", "2026-01-02T03:04:05.123456Z", "2026-01-02T03:04:05.1234567Z", "2026-01-02T03:04:05.12345Z", "2026-01-02T03:04:05,123456Z",
	"2026-01-02T03:04:05.123456789Z", "2026-01-02T03:04:05.12345678901234Z", "2026-01-02T03:04:05.+12345Z", "2026-01-02T03:04:05.-12345Z",
	"2026-01-02T03:04:05.-00000Z", "2026-01-02T03:04:05.12x456Z", "2026-01-02T03:04:05.000000Z", "2026-01-02T03:04:05.999999+01:00",
	"2026-00-02T03:04:05Z", "2026-13-02T03:04:05Z", "2026-01-00T03:04:05Z", "2026-01-32T03:04:05Z", "2026-02-29T03:04:05Z", "2024-02-29T03:04:05Z",
	"1900-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-02T24:00:00Z", "2026-01-02T23:60:00Z", "2026-01-02T23:59:60Z",
	"0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z", "0000-01-01T00:00:00Z", "0000-12-31T23:59:59.000000Z", "9999-12-31T23:59:59Z",
	"9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59-01:00", "0001-01-01T00:00:00+01:00", "0000-01-01T00:00:00+01:00", "10000-01-01T00:00:00Z",
	"1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.999999Z", "20x6-01-02T03:04:05Z", "+026-01-02T03:04:05Z", "2026-01-02T03:04:05Zx",
	"2026-01-02T03:04:05Z ", " 2026-01-02T03:04:05Z", "2026-01-02T03:04:05ZZ", "2026-01-02T03:04:05é", "2026-01-02T03:04:05\"", "2026-01-02T03:04:05+02:00x",
	"null", "2026/01/02T03:04:05Z", "2026-01-02T-3:04:05Z", "2026-01-02T03:04:05+02:00Z",
}

func moment(in string) {
	quoted, _ := json.Marshal(in)
	r := row{"t": "time", "in": in}
	var t metav1.Time
	if err := t.UnmarshalJSON(quoted); err != nil {
		r["err"] = err.Error()
	} else {
		r["unix"] = t.Unix()
		r["out"] = t.ToUnstructured()
	}
	emit(r)
	r = row{"t": "micro_time", "in": in}
	var m metav1.MicroTime
	if err := m.UnmarshalJSON(quoted); err != nil {
		r["err"] = err.Error()
	} else {
		r["unix"] = m.UnixMicro()
		r["out"] = m
	}
	emit(r)
}

func times() {
	for _, in := range timeEdges {
		moment(in)
	}
	for i := 0; i < 60; i++ {
		at := time.Unix(random.Int63n(253402300800+62135596800)-62135596800, random.Int63n(1e9)).UTC()
		if random.Intn(2) == 0 {
			at = at.In(time.FixedZone("", (random.Intn(48)-24)*1800))
		}
		moment(at.Format(pick([]string{time.RFC3339, metav1.RFC3339Micro, time.RFC3339Nano})))
	}
	for i := 0; i < 60; i++ {
		in := []rune("2026-01-02T03:04:05.678901+02:00")
		in[random.Intn(len(in))] = []rune("0123456789-:TZ+.x")[random.Intn(17)]
		moment(string(in[:len(in)-random.Intn(2)*random.Intn(len(in))]))
	}
}

func intOrString(in intstr.IntOrString, total int, up bool) {
	r := row{"t": "int_or_string", "in": in, "total": total, "up": up, "text": in.String(), "int": in.IntValue()}
	value, err := intstr.GetScaledValueFromIntOrPercent(&in, total, up)
	if err != nil {
		r["err"] = err.Error()
	} else {
		r["out"] = value
	}
	emit(r)
}

func intOrStrings() {
	for _, s := range []string{"", "%", "0%", "1%", "25%", "33%", "50%", "99%", "100%", "150%", "-5%", "+5%", "05%", "5", "5%%", "%5", "x%", "2.5%", " 5%",
		"5 %", "http", "-", "99999999999999999999%", "99999999999999999999", "-99999999999999999999", "é%", "a\"b%"} {
		for _, total := range []int{0, 1, 3, 10, 7, 100, 1000000} {
			for _, up := range []bool{false, true} {
				if total == 10 || random.Intn(4) == 0 {
					intOrString(intstr.FromString(s), total, up)
				}
			}
		}
	}
	for i := 0; i < 100; i++ {
		intOrString(intstr.FromString(strconv.Itoa(random.Intn(130))+"%"), random.Intn(1000), random.Intn(2) == 0)
	}
	for _, n := range []int32{0, 1, -1, 80, math.MaxInt32, math.MinInt32} {
		intOrString(intstr.FromInt32(n), 10, true)
	}
	for _, s := range []string{"80", "http", "-1", "+1", "2147483647", "2147483648", "", "1.5", "0x10"} {
		emit(row{"t": "int_or_string_parse", "in": s, "out": intstr.Parse(s)})
	}
}

func groupVersions() {
	for _, s := range []string{"", "/", "v1", "apps/v1", "a/b/c", "/v1", "apps/", "//", "example.com/v1alpha1"} {
		r := row{"t": "group_version", "in": s}
		gv, err := schema.ParseGroupVersion(s)
		if err != nil {
			r["err"] = err.Error()
		} else {
			r["group"], r["version"], r["out"] = gv.Group, gv.Version, gv.String()
			r["kind"] = gv.WithKind("Kind").String()
			r["resource"] = gv.WithResource("things").String()
		}
		emit(r)
	}
	for _, s := range []string{"", "plain", "\"", "\\", "\n\t\r\a\b\f\v\x00\x1f\x7f", "é中😀", "\u00a0\u00ad\u200b\u2028\ufeff\ue000", "a'b"} {
		emit(row{"t": "quote", "in": s, "out": strconv.Quote(s)})
	}
}
